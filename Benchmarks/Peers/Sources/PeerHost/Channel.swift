import Dispatch
import Synchronization

/// A queue between threads, for what one gives and another waits for.
final class Channel<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var taken = 0
    }

    private let state = Mutex(State())
    private let count = DispatchSemaphore(value: 0)

    /// Gives an element to whoever waits longest.
    func push(_ element: Element) {
        state.withLock { $0.elements.append(element) }
        count.signal()
    }

    /// Waits for an element.
    func pop() -> Element {
        count.wait()
        return state.withLock { state in
            let element = state.elements[state.taken]
            state.taken += 1
            // Not one by one, which would move all the others each time.
            if state.taken == state.elements.count {
                state.elements.removeAll(keepingCapacity: true)
                state.taken = 0
            }
            return element
        }
    }
}
