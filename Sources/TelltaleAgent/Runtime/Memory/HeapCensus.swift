#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleProtocol
import TelltaleSystem

/// All blocks of the C library's allocator that are in use, counted by what their first words say they are.
///
/// For one thread. Its memory comes from the kernel and is given back with it.
final class HeapCensus {
    /// Objects with one first word.
    struct Row {
        var word: UInt
        var kind: CTelltaleHeapKind
        var count: Int
        var bytes: UInt64
    }

    /// Blocks of which no more is known than their size.
    struct SizeClass: Equatable {
        /// They are smaller than this; nil for the largest.
        var below: UInt64?
        var count: Int
        var bytes: UInt64
    }

    private let census: OpaquePointer
    private let addresses: UnsafeMutableBufferPointer<UInt>
    private var totals = CTelltaleHeapTotals()
    private(set) var microseconds = 0
    let kinds: [UInt: DispatchLayout.Kind]
    let taskWord: UInt?

    /// Why there is none; nil where there may be one.
    static func absence(by deadline: MonotonicTime) -> String? {
        HeapLayout.known(by: deadline).reason(.blocks)
    }

    /// nil where there is no memory for it. Of what is wanted it keeps `capacity` addresses.
    init?(until deadline: MonotonicTime, capacity: Int = 0) {
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
        for word in kinds.keys { ctelltale_heap_tell(census, word) }
        if let taskWord { ctelltale_heap_tell(census, taskWord) }
        for image in images.all { ctelltale_heap_image(census, image.low, image.high) }
    }

    deinit {
        ctelltale_heap_free(census)
        addresses.deallocate()
    }

    /// Has the addresses of objects with this first word kept by the next count.
    func want(_ word: UInt) {
        guard let start = addresses.baseAddress else { return }
        ctelltale_heap_want(census, word, start, addresses.count)
    }

    /// Keeps only those of which the bytes at an offset are these; false where they are too many.
    func filter(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress, 1...16 ~= bytes.count else { return false }
        ctelltale_heap_filter(census, offset, start, bytes.count)
        return true
    }

    /// How many were wanted and had no room.
    var leftOut: Int { Int(clamping: totals.left_out) }

    /// Counts once.
    func count() {
        TypeImages.check()
        let began = MonotonicTime.now
        totals = NativeThread.givingCore {
            DescriptorReserve.shared.makingRoom(for: 3) { ctelltale_heap_count(census).pointee }
        }
        microseconds = MonotonicTime.now.since(began).microseconds
    }

    /// All objects, and the bytes of their blocks with the allocator's headers.
    var objects: Int { Int(clamping: totals.objects) }
    var objectBytes: UInt64 { totals.object_bytes }

    /// What has objects, the most bytes first.
    var rows: [Row] {
        var count = 0
        let rows = ctelltale_heap_rows(census, &count)
        return (0..<count).compactMap { index in
            guard let row = rows[index]?.pointee else { return nil }
            return Row(
                word: row.word, kind: row.kind, count: Int(clamping: row.count), bytes: row.bytes)
        }
    }

    /// What a first word says, also of objects that are gone.
    func kind(of word: UInt) -> CTelltaleHeapKind { ctelltale_heap_kind(census, word) }

    /// Where the objects are that were wanted.
    var kept: [UInt] { Array(addresses.prefix(ctelltale_heap_kept(census))) }

    /// What isn't all there, and why.
    var gaps: [String] {
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

    /// Blocks that are no objects of Swift's.
    var others: [SizeClass] {
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
    /// A count of all of the heap; of what is wanted later it keeps `capacity` addresses.
    ///
    /// - Throws: `.unsupported` where the allocator isn't known, `.bound` where there is no memory.
    static func counted(
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
