#if TELLTALE_AGENT
package import TelltalePicture

/// Stacks that were seen, each with the times for which threads had it: folded while they come.
package struct SampledStacks: Sendable {
    package struct Times: Sendable {
        /// Nanoseconds on a core, off it, and without one.
        package var cpu: UInt64 = 0
        package var offCore: UInt64 = 0
        package var ready: UInt64 = 0
        package var samples = 0
    }

    package struct Stack: Sendable {
        package var frames: [RawFrame]
        package var origin: String
        /// The call that a thread of it waited in.
        package var call: SystemCall?
        /// A thread that was seen with it.
        package var thread: Int32
        package var times = Times()
    }

    private struct Key: Hashable {
        var origin: String
        var call: Int
        var frames: [RawFrame]
    }

    package private(set) var stacks: [Stack] = []
    /// The times of stacks beyond the bounds.
    package private(set) var dropped = Times()
    private var known: [Key: Int] = [:]
    private var frames = 0
    private let mostStacks: Int
    private let mostFrames: Int

    /// The bounds keep it below some 30 MB.
    package init(mostStacks: Int = 20_000, mostFrames: Int = 1_000_000) {
        self.mostStacks = mostStacks
        self.mostFrames = mostFrames
    }

    /// The index of all stacks beyond the bounds.
    private static let beyond = -1

    /// Counts a sample; returns the index under which the stack's times are counted.
    package mutating func add(
        _ frames: [RawFrame], origin: String, call: SystemCall?, thread: Int32
    ) -> Int {
        let key = Key(origin: origin, call: call?.number ?? -1, frames: frames)
        if let index = known[key] {
            stacks[index].times.samples += 1
            return index
        }
        guard stacks.count < mostStacks, self.frames + frames.count <= mostFrames else {
            dropped.samples += 1
            return Self.beyond
        }
        self.frames += frames.count
        known[key] = stacks.count
        stacks.append(Stack(frames: frames, origin: origin, call: call, thread: thread))
        stacks[stacks.count - 1].times.samples = 1
        return stacks.count - 1
    }

    /// Adds times to a stack; to none for a thread of which no stack was seen yet.
    package mutating func count(
        _ index: Int?, cpu: UInt64 = 0, offCore: UInt64 = 0, ready: UInt64 = 0
    ) {
        func add(_ times: inout Times) {
            times.cpu += cpu
            times.offCore += offCore
            times.ready += ready
        }
        guard let index else { return }
        if index == Self.beyond { add(&dropped) } else { add(&stacks[index].times) }
    }
}
#endif
