#if TELLTALE_AGENT
package import TelltaleProtocol
import TelltaleSystem

/// The labels of the host's queues, threads, tasks and operations, and the texts of its errors, as answers
/// show them. Such a label is often the URL of a request.
package enum HostLabel {
    private static let names = Locked(SecretNames.standard)

    /// Masks the host's additional names in its labels too.
    package static func mask(by names: SecretNames) { Self.names.withLock { $0 = names } }

    /// Returns whether a name outside of the host's memory, such as a command-line option, names a secret.
    package static func isSecret(_ name: String) -> Bool { names.withLock { $0 }.matches(name) }

    package static func shown(_ label: String, isWhole: Bool = true) -> String {
        SecretURL.masking(label, isWhole: isWhole, names: names.withLock { $0 }) ?? label
    }
}
#endif
