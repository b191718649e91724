#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Tries the service's own `hash(into:)` and `==` of keys and of a set's elements in a copy of the process, before
/// they run in the service: they may trap, or not return.
enum KeyTrial {
    /// The time that the owner waits for the trial.
    private static let longest = Duration.milliseconds(250)
    /// Another thread may have held a lock of the allocator when the copy was made.
    private static let attempts = 3

    /// Looks a key up in a copy of the process. Called on the owner; a copy that would cost the service too
    /// much (``CopyCost``), or can't be made, is not made.
    ///
    /// - Throws: `.unsupported` if the look-up ends the copy, `.timeout` if it doesn't return.
    static func check(
        _ key: Any, in dictionary: any DictionaryAccess.Type, at place: UnsafeMutableRawPointer,
        _ rendered: String
    ) throws(CommandFailure) {
        nonisolated(unsafe) let (place, key) = (place, key)
        try check(of: dictionary.key, "\(rendered) was not changed: the hash of its key") {
            _ = dictionary.value(at: place, of: key)
        }
    }

    /// Runs code that hashes keys of a type in a copy of the process, as ``check(_:in:at:_:)`` does; `subject`
    /// begins the failure.
    static func check(
        of type: Any.Type, _ subject: String, _ body: @escaping () -> Void
    ) throws(CommandFailure) {
        guard !isStandard(type), CopyCost.now.refusal == nil else { return }
        for attempt in 1...attempts {
            guard let trial = try? TrialRun(goesOn: true, body) else { return }
            switch trial.ending(until: .now.advanced(by: longest), images: nil).0 {
            case .returned, .outside, .lost: return
            case .signalled(let signal):
                throw CommandFailure(
                    .unsupported,
                    "\(subject) would end the service (\(SignalNumber.name(signal))) (tried in a copy of "
                        + "the process)")
            case .waits, .runs:
                guard attempt == attempts else { continue }
                throw CommandFailure(
                    .timeout,
                    "\(subject) does not return (tried in a copy of the process)")
            }
        }
    }

    private static func isStandard(_ type: Any.Type) -> Bool {
        switch type {
        case is String.Type, is Substring.Type, is Character.Type, is Bool.Type,
            is any BinaryInteger.Type, is any BinaryFloatingPoint.Type:
            true
        default: false
        }
    }
}
#endif
