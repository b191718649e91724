#if TELLTALE_AGENT
import TelltalePicture
import TelltaleRuntime
import TelltaleSystem

extension Capture {
    /// Adds the event loops of a reading, with the stacks of their threads if the capture has none.
    func addEventLoops(_ reading: EventLoopReading, to picture: inout Picture) {
        let memory = agent.shared.eventLoops
        if !parts.contains(.stacks) {
            addStacks(of: reading.threads(and: memory), to: &picture)
        }
        EventLoopCapture(memory: memory, symbols: agent.symbols, deadline: deadline)
            .add(reading, to: &picture)
        let rings = reading.descriptors.map(\.descriptor).filter(\.isRing).map(\.number)
        picture.opaqueRoots = KernelRoots.opaque(
            picture.eventLoops, rings: rings, open: reading.open)
    }

    private func addStacks(of threads: Set<Int32>, to picture: inout Picture) {
        guard !threads.isEmpty else { return }
        let result = agent.shared.threads.capture(
            .only(Array(threads)), stacks: .ofWaiting, until: deadline)
        let now = Dictionary(result.threads.map { ($0.id, $0) }) { first, _ in first }
        for index in picture.threads.indices {
            // Only for a thread that is still in the recorded state.
            guard let thread = now[picture.threads[index].id],
                thread.state == picture.threads[index].state
            else { continue }
            picture.threads[index].frames = thread.frames
            picture.threads[index].stack = agent.symbols.resolve(
                thread.frames, deadline: deadline
            ).flatMap(\.self)
        }
    }
}

extension EventLoopReading {
    /// The threads that wait on the loops of the reading, or were seen waiting on them.
    fileprivate func threads(and memory: EventLoopMemory) -> Set<Int32> {
        var threads = Set(descriptors.flatMap(\.waiting) + arrays.map(\.thread))
        for descriptor in descriptors where descriptor.waiting.isEmpty {
            let known = memory.loop(.descriptor(descriptor.descriptor.number))
            threads.formUnion(known?.waiters.map(\.thread) ?? [])
        }
        return threads
    }
}
#endif
