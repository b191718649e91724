import Glibc

/// An io_uring that tells when descriptors become readable, by the kernel's calls alone.
///
/// Used by one thread: the kernel takes and gives entries in that thread's calls, so that the words which
/// they share need no order of their own.
package final class Ring {
    private let descriptor: Int32
    private let submissions: UnsafeMutableRawPointer
    private let completions: UnsafeMutableRawPointer
    private let entries: UnsafeMutableRawPointer
    /// `struct io_uring_params`, as the kernel has filled it in.
    private let facts: [UInt32]
    private var waiting: UInt32 = 0

    /// nil if the kernel, or who guards it, allows none.
    package init?() {
        var facts = [UInt32](repeating: 0, count: 30)
        let made = Self.setUp(8, &facts)
        guard made >= 0 else { return nil }
        descriptor = Int32(made)
        self.facts = facts
        // The offsets of a ring's arrays are in the words from 10 and 20 on.
        let sizes = [
            (0, Int(facts[16] + facts[0] * 4)), (0x800_0000, Int(facts[25] + facts[1] * 16)),
            (0x1000_0000, Int(facts[0] * 64)),
        ]
        let number = descriptor
        let maps = sizes.map { offset, size in
            mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, number, offset)
        }
        guard let first = maps[0], let second = maps[1], let third = maps[2],
            !maps.contains(MAP_FAILED)
        else { return nil }
        (submissions, completions, entries) = (first, second, third)
    }

    /// Indicates that the kernel allows it here.
    package static var isAllowed: Bool {
        var facts = [UInt32](repeating: 0, count: 30)
        let made = setUp(1, &facts)
        if made >= 0 { close(Int32(made)) }
        return made >= 0
    }

    /// Asks to be told once when there is something to be read.
    ///
    /// - Parameters:
    ///   - watched: The descriptor.
    ///   - data: What its completion is known by; the descriptor where nil.
    package func poll(_ watched: Int32, data: UInt64? = nil) {
        let tail = submissions.load(fromByteOffset: Int(facts[11]), as: UInt32.self)
        let place = tail & submissions.load(fromByteOffset: Int(facts[12]), as: UInt32.self)
        let entry = entries + Int(place) * 64
        entry.initializeMemory(as: UInt8.self, repeating: 0, count: 64)
        entry.storeBytes(of: 6, as: UInt8.self)  // IORING_OP_POLL_ADD
        entry.storeBytes(of: watched, toByteOffset: 4, as: Int32.self)
        entry.storeBytes(of: UInt32(POLLIN), toByteOffset: 28, as: UInt32.self)
        entry.storeBytes(of: data ?? UInt64(watched), toByteOffset: 32, as: UInt64.self)
        submissions.storeBytes(
            of: place, toByteOffset: Int(facts[16]) + Int(place) * 4, as: UInt32.self)
        submissions.storeBytes(of: tail &+ 1, toByteOffset: Int(facts[11]), as: UInt32.self)
        waiting += 1
    }

    /// Waits for one at least.
    ///
    /// - Returns: Those that can be read.
    package func wait() -> [Int32] { waitForWords().map { Int32(truncatingIfNeeded: $0) } }

    /// Hands the kernel what is asked for.
    package func submit() { enter(least: 0) }

    private func enter(least: Int) {
        // IORING_ENTER_GETEVENTS
        let taken = Self.call(426, Int(descriptor), Int(waiting), least, min(least, 1), 0, 0)
        if taken > 0 { waiting -= UInt32(taken) }
    }

    /// Waits for one at least.
    ///
    /// - Returns: What the completions are known by.
    package func waitForWords() -> [UInt64] {
        enter(least: 1)
        var head = completions.load(fromByteOffset: Int(facts[20]), as: UInt32.self)
        let tail = completions.load(fromByteOffset: Int(facts[21]), as: UInt32.self)
        let mask = completions.load(fromByteOffset: Int(facts[22]), as: UInt32.self)
        var found: [UInt64] = []
        while head != tail {
            let offset = Int(facts[25]) + Int(head & mask) * 16
            found.append(completions.load(fromByteOffset: offset, as: UInt64.self))
            head &+= 1
        }
        completions.storeBytes(of: head, toByteOffset: Int(facts[20]), as: UInt32.self)
        return found
    }

    private static func setUp(_ count: Int, _ facts: inout [UInt32]) -> Int {
        facts.withUnsafeMutableBytes {
            call(425, count, Int(bitPattern: $0.baseAddress), 0, 0, 0, 0)
        }
    }

    @_silgen_name("syscall") private static func call(
        _ number: Int, _ first: Int, _ second: Int, _ third: Int, _ fourth: Int, _ fifth: Int,
        _ sixth: Int
    ) -> Int
}
