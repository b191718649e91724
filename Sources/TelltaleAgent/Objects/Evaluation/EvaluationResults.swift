#if TELLTALE_AGENT
import TelltaleRuntime
import TelltaleSystem

/// The results of a client's latest evaluations, which its next ones can use as `$0`, `$1`.
///
/// They are kept for as long as the client is connected, and released on the owner on which they were made.
final class EvaluationResults: Sendable {
    /// The results that are kept for one client.
    static let most = 16

    private struct Kept {
        var next = 0
        var values: [Int: HeldValue<UncheckedValue>] = [:]
    }

    private let state = Locked<[UInt64: Kept]>([:])

    /// Keeps a result in the place of the oldest one, unless the client `isGone`.
    ///
    /// - Returns: Its number.
    func keep(
        _ value: UncheckedValue, of owner: Owner, for connection: UInt64, unless isGone: () -> Bool
    ) -> Int? {
        let held = HeldValue(value, of: owner, .toOwner)
        let (number, released) = state.withLock { state in
            guard !isGone() else { return (Int?.none, HeldValue<UncheckedValue>?.none) }
            var kept = state[connection] ?? Kept()
            let number = kept.next
            kept.next += 1
            kept.values[number] = held
            let oldest = kept.values.removeValue(forKey: number - Self.most)
            state[connection] = kept
            return (number, oldest)
        }
        withExtendedLifetime(released) {}
        return number
    }

    /// A result; `nil` if it isn't kept any more.
    func value(_ number: Int, for connection: UInt64) -> Any? {
        state.withLock { $0[connection]?.values[number] }?.value?.value
    }

    /// Releases the results of a client that has gone.
    func end(_ connection: UInt64) {
        let released = state.withLock { $0.removeValue(forKey: connection) }
        withExtendedLifetime(released) {}
    }
}

/// Returns a kept result to code that is evaluated; `nil` if it isn't kept any more.
@_silgen_name("telltale_eval_result")
package func resultForEvaluatedCode(_ session: UInt64, _ number: Int) -> Any? {
    SharedState.current.evaluations.value(number, for: session)
}
#endif
