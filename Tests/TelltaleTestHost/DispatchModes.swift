import Dispatch
import Foundation
import Synchronization
import TelltaleAgent

/// Queues and other objects of Dispatch in states that stay as they are.
final class DispatchModes: @unchecked Sendable {
    // Used by the thread that reads the lines alone.
    private static let shared = DispatchModes()
    private var queues: [DispatchQueue] = []
    private var kept: [Any] = []
    private let gate = DispatchSemaphore(value: 0)

    /// `dispatch stage`, `dispatch many 100`, `dispatch item`, `dispatch open`.
    static func perform(_ words: [String]) -> String? {
        guard words.first == "dispatch", words.count > 1 else { return nil }
        switch words[1] {
        case "stage": return shared.stage()
        case "force": return shared.force()
        case "many": return shared.many(Int(words.last ?? "") ?? 100)
        case "observe": return shared.observe()
        case "end-observation": return shared.endObservation()
        case "ran": return shared.ran()
        case "item": return shared.item()
        case "forced": return shared.forced.withLock { $0.joined(separator: " ") }
        case "open":
            for _ in 0..<16 { shared.gate.signal() }
            return "opened"
        default: return nil
        }
    }

    private func stage() -> String {
        let held = DispatchQueue(label: "staged.held")
        hang(held)
        held.async { Self.waitingBlock() }
        let item = DispatchWorkItem { Self.waitingBlock() }
        held.async(execute: item)
        item.cancel()
        Thread.detachNewThread { held.sync { Self.waitingBlock() } }
        let suspended = DispatchQueue(label: "staged.suspended", attributes: .concurrent)
        suspended.suspend()
        suspended.suspend()
        suspended.async(flags: .barrier) { Self.waitingBlock() }
        let inactive = DispatchQueue(label: "staged.inactive", attributes: .initiallyInactive)
        let group = DispatchGroup()
        group.enter()
        group.enter()
        Thread.detachNewThread { group.wait() }
        let semaphore = DispatchSemaphore(value: 0)
        Thread.detachNewThread { semaphore.wait() }
        let timer = DispatchSource.makeTimerSource(queue: suspended)
        timer.schedule(deadline: .now() + 1000, repeating: 60)
        timer.setEventHandler { Self.waitingBlock() }
        timer.resume()
        held.asyncAfter(deadline: .now() + 2000) { Self.waitingBlock() }
        queues += [held, suspended, inactive]
        kept += [group, semaphore, timer, item]
        return "staged"
    }

    private static func waitingBlock() {}

    /// The work that continued by a last resort.
    private let forced = Mutex<[String]>([])

    private final class Forced: @unchecked Sendable {
        // All are made to be used from anywhere.
        let queue = DispatchQueue(label: "staged.forced")
        let semaphore = DispatchSemaphore(value: 0)
        let group = DispatchGroup()
        let timer: any DispatchSourceTimer

        init() { timer = DispatchSource.makeTimerSource(queue: queue) }
    }

    private func force() -> String {
        let all = Forced()
        func say(_ word: String) -> @Sendable () -> Void {
            { [self] in forced.withLock { $0.append(word) } }
        }
        all.group.enter()
        all.group.notify(queue: all.queue, execute: say("left"))
        let signalled = say("signalled")
        Thread.detachNewThread {
            all.semaphore.wait()
            signalled()
        }
        all.timer.schedule(deadline: .now() + 3000, repeating: 4000)
        all.timer.setEventHandler(handler: say("fired"))
        all.timer.resume()
        all.queue.asyncAfter(deadline: .now() + 5000, execute: say("delayed"))
        all.queue.asyncAfter(wallDeadline: .now() + 6000, execute: say("walled"))
        kept.append(all)
        Telltale.register(all, as: "forced", on: all.queue)
        return "staged"
    }

    // Its item waits until the gate is opened, and has begun to.
    private func hang(_ queue: DispatchQueue) {
        let begun = DispatchSemaphore(value: 0)
        let gate = gate
        queue.async {
            begun.signal()
            gate.wait()
        }
        begun.wait()
    }

    private func many(_ count: Int) -> String {
        for number in 0..<count {
            queues.append(
                DispatchQueue(
                    label: "many.\(number)", attributes: number % 2 == 0 ? [] : .concurrent))
        }
        return "made"
    }

    private let observed = DispatchQueue(label: "staged.observed")
    private var observation: Registration?
    private func observe() -> String {
        observation = Telltale.observe(observed)
        return "observed"
    }

    private func endObservation() -> String {
        observation?.end()
        return "ended"
    }

    // A work item behind one that hangs.
    private func item() -> String {
        hang(observed)
        let item = DispatchWorkItem { Self.waitingBlock() }
        observed.async(execute: item)
        observed.async { Self.waitingBlock() }
        kept.append(item)
        return "waits"
    }

    // Returns whether a queue runs its items.
    private func ran() -> String {
        let done = DispatchSemaphore(value: 0)
        observed.async { done.signal() }
        return done.wait(timeout: .now() + 0.3) == .success ? "ran" : "waits"
    }
}
