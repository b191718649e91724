#if TELLTALE_AGENT
import TelltaleSystem

/// The counts of earlier runs of `heap`, to report growth.
///
/// A class is recorded by its first word and two numbers only, and at most ``capacity`` classes are
/// recorded.
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

    /// The mark; the last count if there is no mark.
    var earlier: Earlier? { state.withLock { $0.mark ?? $0.last } }

    /// Records a count, as the mark or as the last count.
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
            // A mark supersedes all earlier counts.
            if isMark { state = State(mark: kept) } else { state.last = kept }
        }
    }
}
#endif
