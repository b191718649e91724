#if TELLTALE_AGENT
import TelltaleSystem

/// What `heap` has counted before, so that growth can be told.
///
/// Of a class only its first word and two numbers are kept, of at most ``capacity`` classes.
final class HeapMarks: Sendable {
    struct Count: Sendable {
        var count: Int
        var bytes: UInt64
    }

    struct Earlier: Sendable {
        var isMark: Bool
        var date: MonotonicTime
        var objects: Int
        var objectBytes: UInt64
        var classes: [UInt: Count]
    }

    /// 16,384 classes take some 700 KB.
    static let capacity = 16_384

    private struct State {
        var mark: Earlier?
        var last: Earlier?
    }

    private let state = Locked(State())

    /// The mark, or where there is none the last count.
    var earlier: Earlier? { state.withLock { $0.mark ?? $0.last } }

    /// Keeps a count, as the mark or as the last one.
    func keep(_ census: HeapCensus, _ rows: [HeapCensus.Row], isMark: Bool) {
        var classes: [UInt: Count] = [:]
        classes.reserveCapacity(min(rows.count, Self.capacity))
        for row in rows.prefix(Self.capacity) {
            classes[row.word] = Count(count: row.count, bytes: row.bytes)
        }
        let kept = Earlier(
            isMark: isMark, date: .now, objects: census.objects,
            objectBytes: census.objectBytes, classes: classes)
        state.withLock { state in
            // A mark makes what was counted before it of no more use.
            if isMark { state = State(mark: kept) } else { state.last = kept }
        }
    }
}
#endif
