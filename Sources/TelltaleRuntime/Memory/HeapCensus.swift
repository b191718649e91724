#if TELLTALE_AGENT
package import CTelltaleSystem
package import TelltaleProtocol
package import TelltaleSystem

/// A count of all allocated blocks of the C library's allocator, classified by their first words.
///
/// For use by one thread. Its memory comes from the kernel, and is returned when this object is destroyed.
package final class HeapCensus {
    /// The objects with one first word (isa).
    package struct Row {
        package var word: UInt
        package var kind: CTelltaleHeapKind
        package var count: Int
        package var bytes: UInt64

        package init(word: UInt, kind: CTelltaleHeapKind, count: Int, bytes: UInt64) {
            self.word = word
            self.kind = kind
            self.count = count
            self.bytes = bytes
        }
    }

    /// Blocks that are known only by their size.
    package struct SizeClass: Equatable {
        /// The upper bound of the size, exclusive; nil for the largest class.
        package var below: UInt64?
        package var count: Int
        package var bytes: UInt64
    }

    private let census: OpaquePointer
    private let addresses: UnsafeMutableBufferPointer<UInt>
    private var totals = CTelltaleHeapTotals()
    package private(set) var microseconds = 0
    let kinds: [FirstWord: DispatchLayout.Kind]
    let taskWord: UInt?

    /// The reason why no census is possible; nil if one may be.
    static func absence(by deadline: MonotonicTime) -> String? {
        HeapLayout.known(by: deadline).reason(.blocks)
    }

    /// nil if there is no memory for it. Keeps up to `capacity` addresses of wanted objects.
    package init?(until deadline: MonotonicTime, capacity: Int = 0) {
        let layout = HeapLayout.known(by: deadline)
        guard MemoryRoom.isEnough, layout.has(.blocks), let images = LoadedImages.read() else {
            return nil
        }
        let made = withUnsafePointer(to: layout.numbers) {
            ctelltale_heap_make($0, deadline.nanoseconds)
        }
        guard let made else { return nil }
        census = made
        addresses = .allocate(capacity: max(capacity, 0))
        addresses.initialize(repeating: 0)
        kinds = DispatchLayout.known(by: deadline).kinds
        taskWord = TaskRuntime.firstWord
        for kind in kinds.keys { ctelltale_heap_tell(census, kind.word) }
        if let taskWord { ctelltale_heap_tell(census, taskWord) }
        for image in images.all { ctelltale_heap_image(census, image.low, image.high) }
    }

    deinit {
        ctelltale_heap_free(census)
        addresses.deallocate()
    }

    /// Makes the next count keep the addresses of objects with this first word.
    package func want(_ word: UInt) {
        guard let start = addresses.baseAddress else { return }
        ctelltale_heap_want(census, word, start, addresses.count)
    }

    /// Keeps only addresses of objects that have these bytes at an offset; false if there are more than 16.
    package func filter(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress, 1...16 ~= bytes.count else { return false }
        ctelltale_heap_filter(census, offset, start, bytes.count)
        return true
    }

    /// The number of wanted objects beyond the capacity.
    package var leftOut: Int { Int(clamping: totals.left_out) }

    /// Runs one count.
    package func count() {
        TypeImages.check()
        let began = MonotonicTime.now
        totals = NativeThread.givingCore {
            DescriptorReserve.shared.makingRoom(for: 3) { ctelltale_heap_count(census).pointee }
        }
        microseconds = MonotonicTime.now.since(began).microseconds
    }

    /// The number of all objects, and the bytes of their blocks, including the allocator's headers.
    package var objects: Int { Int(clamping: totals.objects) }
    package var objectBytes: UInt64 { totals.object_bytes }

    /// The rows, the most bytes first.
    package var rows: [Row] {
        var count = 0
        let rows = ctelltale_heap_rows(census, &count)
        return (0..<count).compactMap { index in
            guard let row = rows[index]?.pointee else { return nil }
            return Row(
                word: row.word, kind: row.kind, count: Int(clamping: row.count), bytes: row.bytes)
        }
    }

    /// The kind of a first word, also for objects that have been freed since.
    package func kind(of word: UInt) -> CTelltaleHeapKind { ctelltale_heap_kind(census, word) }

    /// The addresses of the wanted objects.
    package var kept: [UInt] { Array(addresses.prefix(ctelltale_heap_kept(census))) }

    /// The reasons why the count is incomplete.
    package var gaps: [String] {
        var gaps: [String] = []
        if totals.error != 0 {
            gaps.append("the process's memory can't be read (error \(totals.error))")
        }
        if totals.is_late { gaps.append("not all was counted: the count ended at its deadline") }
        if totals.is_torn {
            gaps.append("not all was counted: a part of the heap changed each time it was read")
        }
        if totals.is_full { gaps.append("there are more kinds of objects than are counted") }
        return gaps
    }

    private static let bounds: [UInt64] = [64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 1 << 20]

    /// The blocks that are not Swift objects, by size.
    package var others: [SizeClass] {
        var classes = (Self.bounds.map(Optional.some) + [nil]).map {
            SizeClass(below: $0, count: 0, bytes: 0)
        }
        func numbers<Tuple>(_ tuple: Tuple) -> [UInt64] {
            withUnsafeBytes(of: tuple) { Array($0.bindMemory(to: UInt64.self)) }
        }
        let (counts, bytes) = (numbers(totals.other_blocks), numbers(totals.other_bytes))
        for bit in counts.indices where counts[bit] > 0 {
            let index = Self.bounds.firstIndex { UInt64(1) << UInt64(bit) < $0 }
            classes[index ?? Self.bounds.count].count += Int(clamping: counts[bit])
            classes[index ?? Self.bounds.count].bytes += bytes[bit]
        }
        return classes.filter { $0.count > 0 }
    }
}

extension HeapCensus {
    /// Counts the whole heap, and returns the census. It keeps up to `capacity` addresses of objects that
    /// are wanted later.
    ///
    /// - Throws: `.unsupported` if the allocator isn't known, `.bound` if there is no memory.
    package static func counted(
        until deadline: MonotonicTime, capacity: Int = 0
    ) throws(CommandFailure) -> HeapCensus {
        if let reason = absence(by: deadline) {
            throw CommandFailure(.unsupported, "the heap is \(reason)")
        }
        guard let census = HeapCensus(until: deadline, capacity: capacity) else {
            throw CommandFailure(.bound, "the process has no memory left to count its heap with")
        }
        census.count()
        return census
    }
}
#endif
