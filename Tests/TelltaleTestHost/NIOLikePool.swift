import Foundation

/// A pool as SwiftNIO's: its class's name, its state, and the function of its threads.
final class NIOThreadPool: @unchecked Sendable {  // the condition guards the state
    enum State {
        case stopped
        case shuttingDown([Bool])
        case running(SelectableEventLoop.Deque)
        case modifying
    }

    private let condition = NSCondition()
    private var _state = State.running(SelectableEventLoop.Deque())

    init(threads: Int) {
        for number in 0..<threads { onThread { self.process(identifier: number) } }
    }

    func submit(_ item: @escaping @Sendable () -> Void) {
        condition.lock()
        if case .running(let items) = _state { items.append(item) }
        condition.signal()
        condition.unlock()
    }

    private func process(identifier: Int) {
        while true {
            condition.lock()
            var item: (@Sendable () -> Void)?
            while item == nil {
                if case .running(let items) = _state { item = items.takeFirst() }
                if item == nil { condition.wait() }
            }
            condition.unlock()
            item?()
        }
    }
}
