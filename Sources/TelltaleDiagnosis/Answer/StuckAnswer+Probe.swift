#if TELLTALE_AGENT
package import TelltaleProtocol

extension StuckAnswer {
    /// Returns whether an answer accuses a service by a probe's threshold, a while after it was given: a deadlock at once,
    /// anything else that is stuck where it has stood for so long by then, if it has not gone on.
    ///
    /// - Parameters:
    ///   - after: The probe's threshold, in seconds.
    ///   - age: How long ago it was given, in seconds.
    /// - Returns: Whether it does.
    package func isStuck(after: Double, age: Double) -> Bool {
        findings.contains { finding in
            switch finding.grade {
            case .deadlock: true
            case .stuck: (finding.seconds ?? 0) + age >= after
            case .waits, nil: false
            }
        }
    }
}
#endif
