#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A queue between threads, for what one gives and another waits for.
///
/// The C library's pair, as the harness's host in C++ has it. With `Mutex` and a semaphore the same work
/// differed more from run to run (quartiles 16 % apart, not 6 %), which hides what an agent costs.
final class Channel<Element: Sendable>: @unchecked Sendable {
    // Guards the others; both live on the heap since the C library keeps their addresses.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var elements: [Element] = []
    private var taken = 0

    init() {
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Gives an element to whoever waits longest.
    func push(_ element: Element) {
        pthread_mutex_lock(mutex)
        elements.append(element)
        pthread_mutex_unlock(mutex)
        pthread_cond_signal(condition)
    }

    /// Waits for an element.
    func pop() -> Element {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while taken == elements.count { pthread_cond_wait(condition, mutex) }
        let element = elements[taken]
        taken += 1
        // Not one by one, which would move all the others each time.
        if taken == elements.count {
            elements.removeAll(keepingCapacity: true)
            taken = 0
        }
        return element
    }
}
