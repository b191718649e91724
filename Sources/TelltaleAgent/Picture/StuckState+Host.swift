#if TELLTALE_AGENT
/// What of it is the host's own, and what may yet move it.
extension StuckState {
    /// How many items of the host's wait, without the agent's probes and readings.
    func hostItems(_ queue: QueueFacts) -> Int {
        let agents = queue.items.filter { isAgents($0) }.count
        return max(0, (queue.waiting ?? queue.items.count) - agents)
    }

    /// Whether the agent has submitted an item.
    func isAgents(_ item: PendingItem) -> Bool {
        if let waiter = item.waiter { return threads[waiter]?.isAgent == true }
        guard let function = item.function else { return false }
        return (after.names[function] ?? []).contains {
            $0.symbol?.holds("13TelltaleAgent") == true
                || $0.function?.holds("TelltaleAgent") == true
        }
    }

    /// Whether somebody waits for others, or items wait, that did not at the first look.
    var hasNewcomers: Bool {
        let isThreadNew = after.threads.contains { thread in
            !thread.isAgent && !stillThreads.contains(thread.id)
                && (thread.wait.needsAnother || (isEvent(thread) && !thread.held.isEmpty))
        }
        return isThreadNew
            || after.queues.contains {
                !stillQueues.contains($0.address) && hostItems($0) > 0
            }
    }

    private func isEvent(_ thread: ThreadFacts) -> Bool {
        if case .event = thread.wait { return !Self.isEventLoop(thread) }
        return false
    }

    /// What may still wake somebody who waits; nil where nothing in the process moves and nothing from
    /// outside is to be expected: then whoever waits, waits for good.
    var hope: String? {
        if let waker = after.mayBeWoken { return waker }
        for thread in after.threads where !thread.isAgent && thread.wait != .idle {
            switch thread.wait {
            case .running: return "\(name(thread)), which runs"
            case .time: return "\(name(thread)), which sleeps"
            // One that has run was called by one of its sources, which are asked for themselves.
            case .event where Self.isEventLoop(thread): continue
            case .event(let call), .unknown(let call): return "\(name(thread)), in \(call)"
            case .idle, .queue, .lock, .semaphore, .group, .condition, .thread: break
            }
            guard stillThreads.contains(thread.id) else {
                return "\(name(thread)), which has just run"
            }
        }
        return nil
    }

    private func name(_ thread: ThreadFacts) -> String {
        thread.isMain ? "the main thread" : "thread \(thread.id)"
    }

    /// Whether a thread waits for events as Dispatch's manager and run loops do, which have one such
    /// wait for good.
    static func isEventLoop(_ thread: ThreadFacts) -> Bool {
        thread.stack.prefix(6).contains { frame in
            guard let name = frame.symbol ?? frame.function else { return false }
            return DispatchSymbols.isEventLoop(name)
        }
    }
}
#endif
