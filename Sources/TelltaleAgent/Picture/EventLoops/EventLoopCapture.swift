#if TELLTALE_AGENT
import TelltalePicture
import TelltaleRuntime
import TelltaleSystem

/// Makes facts about event loops from a reading of them, from the memory of earlier readings, and from the
/// stacks of threads.
struct EventLoopCapture {
    let memory: EventLoopMemory
    let symbols: Symbolicator
    let deadline: MonotonicTime

    /// Adds the loops of a reading to a picture whose threads have resolved names.
    func add(_ reading: EventLoopReading, to picture: inout Picture) {
        let threads = Dictionary(picture.threads.map { ($0.id, $0) }) { first, _ in first }
        let main = picture.threads.first { $0.isMain }
        var loops: [EventLoopFacts] = []
        for descriptor in reading.descriptors {
            let known = note(descriptor, threads, picture.labels, main)
            guard !known.isDispatchs else { continue }
            loops.append(facts(descriptor, known, threads))
        }
        for array in reading.arrays {
            let known = note(array, threads, main)
            loops.append(facts(array, known, threads))
        }
        if reading.isWhole, picture.gaps.allSatisfy({ !$0.parts.contains(.threads) || !$0.isCut }) {
            memory.keep(
                descriptors: Set(reading.descriptors.map(\.descriptor.number)),
                threads: Set(threads.keys))
        }
        attributeByName(&loops, reading, threads)
        for index in loops.indices where loops[index].make == .nio && loops[index].waiting.isEmpty {
            loops[index].tasks = loops[index].threads.first.flatMap { threads[$0]?.liveStack }
                .flatMap { NIOTasks.waiting(onStack: $0, until: deadline) }
        }
        picture.eventLoops = loops.sorted { $0.rank < $1.rank }
        picture.add(reading.notes, to: .eventLoops)
        picture.gaps += reading.gaps.map {
            Picture.Gap(.eventLoops, $0, isWhole: loops.isEmpty, isCut: true)
        }
    }

    // MARK: Memory

    private func note(
        _ seen: EventLoopReading.Descriptor, _ threads: [Int32: ThreadFacts],
        _ labels: [UInt: String],
        _ main: ThreadFacts?
    ) -> EventLoopMemory.Loop {
        let waiting = seen.waiting.compactMap { threads[$0] }
        let isDispatchs =
            seen.members?.contains { $0.events & LoopBits.dispatchManager != 0 } == true
            || waiting.contains { thread in
                LoopNames.isDispatchManager(
                    thread, label: thread.queue.flatMap { labels[$0] })
            }
        return memory.update(.descriptor(seen.descriptor.number), marks: seen.marks) { loop in
            loop.note(waiting, threads, main)
            if isDispatchs { loop.isDispatchs = true }
        }
    }

    private func note(
        _ seen: EventLoopReading.Polled, _ threads: [Int32: ThreadFacts], _ main: ThreadFacts?
    ) -> EventLoopMemory.Loop {
        let waiting = seen.isWaiting ? [threads[seen.thread]].compactMap(\.self) : []
        return memory.update(.array(seen.thread), marks: nil) { loop in
            loop.note(waiting, threads, main)
            guard seen.isWaiting else { return }
            loop.members = seen.members
        }
    }

    // MARK: Facts

    private func facts(
        _ seen: EventLoopReading.Descriptor, _ known: EventLoopMemory.Loop,
        _ threads: [Int32: ThreadFacts]
    ) -> EventLoopFacts {
        let number = seen.descriptor.number
        var facts = EventLoopFacts(
            id: known.id, kind: seen.descriptor.isRing ? .ring : .epoll, descriptor: number,
            label: known.label ?? "")
        facts.members = seen.members == nil ? nil : seen.total
        facts.channels = seen.channels
        facts.isReadable = seen.isReadable
        facts.ready = seen.ready
        facts.waiting = seen.waiting
        complete(&facts, known, threads)
        return facts
    }

    private func facts(
        _ seen: EventLoopReading.Polled, _ known: EventLoopMemory.Loop,
        _ threads: [Int32: ThreadFacts]
    ) -> EventLoopFacts {
        var facts = EventLoopFacts(
            id: known.id, kind: .poll, descriptor: nil, label: known.label ?? "")
        facts.members = seen.members.count
        facts.channels = LoopDescriptors.channels(among: seen.members)
        facts.ready = seen.ready
        facts.waiting = seen.isWaiting ? [seen.thread] : []
        complete(&facts, known, threads)
        return facts
    }

    private func complete(
        _ facts: inout EventLoopFacts, _ known: EventLoopMemory.Loop,
        _ threads: [Int32: ThreadFacts]
    ) {
        facts.make = known.make ?? .other
        facts.away = known.away.map { MonotonicTime.now.since($0) }
        for waiter in known.waiters where !facts.waiting.contains(waiter.thread) {
            guard let thread = threads[waiter.thread], let frame = loop(of: thread, waiter) else {
                continue
            }
            facts.threads.append(waiter.thread)
            guard facts.label.isEmpty else { continue }
            facts.make = LoopNames.make(of: thread) ?? .other
            facts.label =
                facts.make == .other
                ? frame.shortFunction ?? frame.function ?? "" : facts.make.label(of: thread)
        }
        if facts.label.isEmpty {
            facts.label = facts.descriptor.map { "\(facts.kind.rawValue) \($0)" } ?? "poll"
        }
    }

    /// The innermost host function that was on the stack when the thread waited and still is; nil if the
    /// thread has left the loop.
    private func loop(
        of thread: ThreadFacts, _ waiter: EventLoopMemory.Waiter
    ) -> ResolvedFrame? {
        if let frame = thread.stack.first(where: { LoopNames.make(of: $0) != nil }) { return frame }
        let waited = symbols.resolve(waiter.frames, deadline: deadline).flatMap(\.self)
        let functions = Set(waited.lazy.filter { $0.isHosts }.compactMap(\.function))
        let own = thread.stack.filter { $0.isHosts }
        if !functions.isEmpty {
            return own.first { frame in frame.function.map { functions.contains($0) } ?? false }
        }
        // Without symbols, the return address of a caller of the waiting function is still the same.
        let places = Set(waiter.frames.map(\.address))
        return own.first { places.contains($0.address) }
    }

    // MARK: Loops without a known waiter

    // Assigns a loop to a thread whose functions show that it runs a loop of this kind, if it is the only
    // loop of that shape that no other thread is known to run. If there are several of either, the
    // assignment is unknown.
    private func attributeByName(
        _ loops: inout [EventLoopFacts], _ reading: EventLoopReading,
        _ threads: [Int32: ThreadFacts]
    ) {
        let members = Dictionary(
            reading.descriptors.map { ($0.descriptor.number, $0.members ?? []) }
        ) { first, _ in first }
        let known = Set(loops.flatMap { $0.waiting + $0.threads })
        for make in [EventLoopFacts.Make.nio, .runLoop] {
            let runners = threads.values.filter { thread in
                !thread.isAgent && !known.contains(thread.id)
                    && thread.stack.contains { LoopNames.make(of: $0) == make }
            }
            let free = loops.indices.filter { index in
                let loop = loops[index]
                guard loop.kind == .epoll, loop.waiting.isEmpty, loop.threads.isEmpty,
                    let watched = loop.descriptor.flatMap({ members[$0] }), !watched.isEmpty
                else { return false }
                let isRunLoops = watched.allSatisfy { $0.events == LoopBits.runLoopPort }
                return isRunLoops == (make == .runLoop)
            }
            guard let runner = runners.first, let place = free.first, runners.count == 1,
                free.count == 1
            else { continue }
            loops[place].threads = [runner.id]
            loops[place].make = make
            loops[place].label = make.label(of: runner)
        }
    }
}

extension EventLoopFacts {
    /// Loops with known threads come first.
    fileprivate var rank: (Int, Int32, UInt64) {
        (waiting.isEmpty && threads.isEmpty ? 1 : 0, descriptor ?? .max, id)
    }
}

extension EventLoopMemory.Loop {
    /// Records the threads that wait on it now, or that no thread does.
    mutating func note(
        _ waiting: [ThreadFacts], _ threads: [Int32: ThreadFacts], _ main: ThreadFacts?
    ) {
        guard !waiting.isEmpty else { return noteAway(threads) }
        for thread in waiting {
            note(thread.id, Array(thread.frames.suffix(EventLoopMemory.mostFrames)))
            guard !thread.stack.isEmpty else { continue }
            let make = LoopNames.make(of: thread)
            if make != nil || self.make == nil { self.make = make ?? .other }
            label = (make ?? .other).label(of: thread, main)
        }
    }
}

extension EventLoopFacts.Make {
    /// The name of the loop of a thread that waits on it or is in its function.
    func label(of thread: ThreadFacts, _ main: ThreadFacts? = nil) -> String {
        switch self {
        case .nio where thread.name.hasPrefix("NIO-"): return thread.name
        case .nio: return "NIO event loop of thread \(thread.id)"
        case .runLoop:
            return thread.isMain ? "main run loop" : "run loop of thread \(thread.id)"
        case .libuv: return "libuv loop of thread \(thread.id)"
        case .other: break
        }
        // An unnamed thread inherits its parent's name, which is usually the main thread's.
        if let main, !thread.isMain, thread.name != main.name, !thread.name.isEmpty {
            return thread.name
        }
        let own = thread.stack.filter { $0.isHosts && $0.function != nil }
        let loop = own.first { $0.isNamedAsLoop } ?? own.first { !$0.isWaitersOwn } ?? own.last
        return loop?.shortFunction ?? loop?.function ?? "loop of thread \(thread.id)"
    }
}

extension ResolvedFrame {
    /// True if its own name, without its type's, suggests an endless loop.
    fileprivate var isNamedAsLoop: Bool {
        let whole = shortFunction ?? function ?? ""
        guard !whole.hasPrefix("closure") else { return false }
        let name = whole.prefix { $0 != "(" }.split(separator: ".").last?.lowercased() ?? ""
        return name.holds("run") || name.holds("loop") || name.holds("serve")
    }

    /// True if its name says that it only waits; the name of its caller is more useful.
    fileprivate var isWaitersOwn: Bool {
        let name = (shortFunction ?? function ?? "").lowercased()
        return name.holds("poll") || name.holds("wait") || name.holds("select")
    }
}
#endif
