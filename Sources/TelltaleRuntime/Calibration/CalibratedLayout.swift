#if TELLTALE_AGENT
package import TelltaleSystem

/// A private memory layout of a runtime, divided into parts. A part is trusted only after a self-test has
/// used it to read objects of the agent's own in known states.
package protocol CalibratedLayout: Sendable {
    /// The parts, which are tested separately. The raw value is the part's name in answers.
    associatedtype Part: RawRepresentable<String> & CaseIterable & Hashable & Sendable

    /// The runtime or the library that the layout belongs to, as `info` names it.
    static var subject: String { get }
    /// The calibration of this layout in this process.
    static var calibration: Calibration<Self> { get }

    /// The parts without which a stuck thread, queue or task could be missed.
    static var essential: Set<Part> { get }

    var failures: [Part: LayoutFailure] { get set }

    /// The layout according to the runtime's sources, before any test.
    init()

    /// Tests the layout on the calling thread, and turns off the parts that don't read back.
    mutating func selfTest()
}

package struct LayoutFailure: Sendable, Equatable {
    var reason: String
    /// True for a transient failure: no thread could be created, or Dispatch was blocked. A later test may
    /// succeed.
    var isPassing = false
}

extension CalibratedLayout {
    package static var essential: Set<Part> { [] }

    /// Returns true if `part` can be trusted.
    package func has(_ part: Part) -> Bool { failures.isEmpty || failures[part] == nil }

    /// The reason why a part is off, in the words of answers; nil if the part is available.
    package func reason(_ part: Part) -> String? {
        failures[part].map { "not available: \($0.reason)" }
    }

    package var notes: [String] {
        var byReason: [(reason: String, parts: [String])] = []
        for part in Part.allCases {
            guard let reason = failures[part]?.reason else { continue }
            if let at = byReason.firstIndex(where: { $0.reason == reason }) {
                byReason[at].parts.append(part.rawValue)
            } else {
                byReason.append((reason, [part.rawValue]))
            }
        }
        return byReason.map {
            "not available: \($0.parts.joined(separator: ", ")) (\($0.reason))"
        }
    }

    /// True if an essential part is off.
    package var isBlind: Bool { failures.keys.contains { Self.essential.contains($0) } }

    /// True if another self-test may succeed.
    var isPassing: Bool { failures.contains { $0.value.isPassing } }

    /// Turns parts off; the first reason is kept.
    mutating func fail(_ parts: Part..., reason: String, isPassing: Bool = false) {
        for part in parts where failures[part] == nil {
            failures[part] = LayoutFailure(reason: reason, isPassing: isPassing)
        }
    }

    /// Turns a part off unless `isRead`.
    mutating func expect(_ isRead: Bool, _ part: Part, _ reason: String) {
        if !isRead { fail(part, reason: reason) }
    }

    /// Turns a part off unless a thread was seen to sleep as expected.
    mutating func expect(_ outcome: SleepingThread.Outcome, _ part: Part, _ reason: String) {
        switch outcome {
        case .seen: break
        case .otherwise: fail(part, reason: reason)
        case .late:
            fail(part, reason: "a thread of our own did not wait in time", isPassing: true)
        }
    }

    package static func off(_ reason: String, isPassing: Bool = false) -> Self {
        var layout = Self()
        for part in Part.allCases {
            layout.failures[part] = LayoutFailure(reason: reason, isPassing: isPassing)
        }
        return layout
    }

    /// Returns the layout after its self-test.
    static func tried() -> Self {
        var layout = Self()
        layout.selfTest()
        return layout
    }

    /// Returns the layout, and calibrates it first if that was not done yet; see
    /// ``Calibration/known(by:)``.
    package static func known(by deadline: MonotonicTime) -> Self {
        calibration.known(by: deadline)
    }
}
#endif
