#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Comparison {
    /// See ``hope``.
    func findHope() -> StuckAnswer.Hope? {
        later.hope(running: runningTasks) ?? hopeOfThreads ?? later.opaqueRoots.first?.hope
    }

    // A task whose thread waits for another party is no better a waker than that thread.
    private var runningTasks: Bool {
        let tasks = later.tasks
        // A closure for each of 50,000 takes a probe of a debug build longer than the graph.
        for index in tasks.indices where tasks[index].state == .running {
            let runner = runners[tasks[index].address].flatMap { threads[$0] }
            if runner.map({ !$0.wait.needsAnother }) ?? true { return true }
        }
        return false
    }

    private var hopeOfThreads: StuckAnswer.Hope? {
        for thread in later.threads where !thread.isAgent {
            let name = thread.isMain ? "the main thread" : title(ofThread: thread.id)
            switch thread.wait {
            case .running, .time, .event, .unknown:
                return .thread(name: name, hopeState(of: thread))
            // A thread that has run was called by one of its sources, which are queried themselves.
            case .idle, .eventLoop: continue
            case .queue, .lock, .semaphore, .group, .condition, .operations, .thread:
                if !unmovedThreads.contains(thread.id) { return .thread(name: name, nil) }
            }
        }
        return nil
    }
}

extension OpaqueRoot {
    /// The potential waker that a pointer kept there may lead to.
    var hope: StuckAnswer.Hope {
        switch self {
        case .ring(let descriptor): .ring(descriptor: descriptor)
        case .processTimers: .processTimer
        case .asyncContexts: .asyncRequest
        case .unreadableMemory(let bytes): .unreadableMemory(bytes: bytes)
        case .epolls(let descriptors): .epolls(descriptors: descriptors)
        }
    }
}

extension Picture {
    /// The same picture, in which no search of the memory is complete if the kernel keeps pointers that it
    /// doesn't show: no wait is proven to be lost then.
    var doubtingHolders: Picture {
        guard !opaqueRoots.isEmpty, holders.values.contains(where: \.isWhole) else { return self }
        var doubting = self
        for target in holders.keys { doubting.holders[target]?.isWhole = false }
        return doubting
    }

    /// Returns a potential waker besides the threads.
    fileprivate func hope(running isRunning: Bool) -> StuckAnswer.Hope? {
        if timers.contains(where: {
            $0.firesIn != nil && !$0.isCancelled && $0.suspendCount == 0 && !$0.isDispatchsOwn
        }) {
            return .timeout
        }
        for index in tasks.indices where tasks[index].waitsFor == .timer { return .sleepingTask }
        if isRunning { return .runningTask }
        guard let sockets else { return .unknownDescriptor }
        if sockets.listening > 0 { return .connection }
        return sockets.expecting > 0 ? .networkAnswer : nil
    }
}
#endif
