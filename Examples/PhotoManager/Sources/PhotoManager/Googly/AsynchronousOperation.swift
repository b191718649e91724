import Foundation
import Synchronization

/// An operation whose work continues after `main()` has returned: it is finished when it says so.
///
/// `finish()` reports the three states that an operation queue asks for; operations that depend on
/// it wait until then, and no thread does.
class AsynchronousOperation: Operation, @unchecked Sendable {  // `state` guards itself
    private enum State {
        case waiting, executing, finished
    }

    private let state = Mutex(State.waiting)

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { state.withLock { $0 == .executing } }
    override var isFinished: Bool { state.withLock { $0 == .finished } }

    override func start() {
        guard !isCancelled else {
            finish()
            return
        }
        move(to: .executing, telling: ["isExecuting"])
        main()
    }

    /// Says that the work is done, or given up.
    func finish() {
        guard !isFinished else { return }
        move(to: .finished, telling: ["isExecuting", "isFinished"])
    }

    private func move(to next: State, telling keys: [String]) {
        for key in keys { willChangeValue(forKey: key) }
        state.withLock { $0 = next }
        for key in keys.reversed() { didChangeValue(forKey: key) }
    }
}
