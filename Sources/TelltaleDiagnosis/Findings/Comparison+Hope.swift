#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Comparison {
    /// What may still wake somebody who waits; nil where nothing in the process moves and nothing from
    /// outside is to be expected: then whoever waits, waits for good.
    var hope: StuckAnswer.Hope? { later.hope ?? hopeOfThreads }

    private var hopeOfThreads: StuckAnswer.Hope? {
        for thread in later.threads where !thread.isAgent {
            let name = thread.isMain ? "the main thread" : "thread \(thread.id)"
            switch thread.wait {
            case .running: return .thread(name: name, .runs)
            case .time: return .thread(name: name, .time)
            case .event(let call), .unknown(let call): return .thread(name: name, .call(name: call))
            // One that has run was called by one of its sources, which are asked for themselves.
            case .idle, .eventLoop: continue
            case .queue, .lock, .semaphore, .group, .condition, .operations, .thread:
                if !unmovedThreads.contains(thread.id) { return .thread(name: name, nil) }
            }
        }
        return nil
    }
}

extension Picture {
    /// What besides the threads could still wake somebody.
    fileprivate var hope: StuckAnswer.Hope? {
        // One that comes again and again is housekeeping in all but few programs; a timeout, or
        // something put off, comes once.
        if timers.contains(where: {
            $0.firesIn != nil && $0.interval == nil && !$0.isCancelled && $0.suspendCount == 0
                && !$0.isDispatchsOwn
        }) {
            return .timeout
        }
        if tasks.contains(where: { $0.waitsFor == .timer }) { return .sleepingTask }
        if tasks.contains(where: { $0.state == .running }) { return .runningTask }
        guard let sockets else { return .unknownDescriptor }
        if sockets.listening > 0 { return .connection }
        return sockets.expecting > 0 ? .networkAnswer : nil
    }
}
#endif
