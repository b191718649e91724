#if TELLTALE_AGENT
import TelltaleSystem

/// Looks for a moment whether something has come, before a thread sleeps until it does; as long as that is of use.
///
/// A client that asks again and again does so some microseconds after its answer, and to wake a thread on another
/// processor takes longer: without that one client gets 37,000 answers a second where it got 22,000. Where the look
/// is in vain (a client that thinks, one processor for both, a busy host), it is left out the next time, then the
/// next two, four and so on. It takes 40 µs of a core at most, for an answer.
struct EagerLook {
    /// How long it looks.
    private static let longest = Duration.microseconds(40)
    /// How often it is left out at most, for each time in vain.
    private static let mostLeftOut = 1024

    private var leftOut = 0
    private var leavesOut = 0

    /// Whether something has come.
    mutating func finds(_ hasCome: () -> Bool) -> Bool {
        guard leavesOut == 0 else {
            leavesOut -= 1
            return false
        }
        // What is there at once would have been found anyway.
        if hasCome() { return true }
        let end = MonotonicTime.now.advanced(by: Self.longest)
        repeat {
            if hasCome() {
                leftOut /= 2
                return true
            }
        } while .now < end
        leftOut = min(max(1, leftOut * 2), Self.mostLeftOut)
        leavesOut = leftOut
        return false
    }
}
#endif
