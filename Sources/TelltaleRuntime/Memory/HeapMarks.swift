#if TELLTALE_AGENT
package import TelltaleSystem

/// The counts of earlier runs of `heap`, to report growth.
///
/// A class is recorded by its first word and two numbers only, and at most ``capacity`` classes are
/// recorded.
package final class HeapMarks: Sendable {
    package struct Count: Sendable {
        package var count: Int
        package var bytes: UInt64
    }

    package struct Earlier: Sendable {
        package var isMark: Bool
        package var date: MonotonicTime
        package var objects: Int
        package var objectBytes: UInt64
        package var classes: [UInt: Count]
    }

    /// 16,384 classes take some 700 KB.
    static let capacity = 16_384

    private struct State {
        var mark: Earlier?
        var last: Earlier?
    }

    private let state = Locked(State())

    package init() {}

    /// The mark; the last count if there is no mark.
    package var earlier: Earlier? { state.withLock { $0.mark ?? $0.last } }

    /// Records a count, as the mark or as the last count.
    package func keep(_ census: HeapCensus, _ rows: [HeapCensus.Row], isMark: Bool) {
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
