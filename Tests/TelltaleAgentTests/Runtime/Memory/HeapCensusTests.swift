import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleRuntime

#if os(Linux) && arch(x86_64)
/// Objects of these classes are counted where they are made and where they end.
private class Counted {
    nonisolated(unsafe) static var alive = 0
    var next: Counted?
    var number = 0
    init() { Self.alive += 1 }
    deinit { Self.alive -= 1 }
}

private final class CountedMore: Counted {
    nonisolated(unsafe) static var aliveMore = 0
    var more = (1, 2, 3)
    override init() {
        super.init()
        Self.aliveMore += 1
    }
    deinit { Self.aliveMore -= 1 }
}

private final class Generic<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}

/// One tests' process after another: what is counted is the whole heap's.
@Suite(
    "The count of the heap", .serialized,
    .disabled(if: Sanitizer.watchesThreads, "the allocator is the sanitizer's"))
struct HeapCensusTests {
    private static var soon: MonotonicTime { .now.advanced(by: .seconds(10)) }

    private static func counted() throws -> (HeapCensus, [String: HeapCensus.Row]) {
        let census = try HeapCensus.counted(until: soon)
        #expect(census.gaps == [])
        let names = HeapNames(census)
        var rows: [String: HeapCensus.Row] = [:]
        for row in census.rows {
            if let name = names.name(of: row) { rows["\(name.kind) \(name.text)"] = row }
        }
        return (census, rows)
    }

    @Test("150,000 objects are counted exactly, the half of them that ended not")
    func exact() throws {
        try withExtendedLifetime(
            (0..<150_000).map { $0.isMultiple(of: 3) ? CountedMore() : Counted() }
        ) { all in
            // Every other one ends, so that live ones lie between freed blocks.
            var kept: [Counted] = []
            for (index, object) in all.enumerated() where index.isMultiple(of: 2) {
                kept.append(object)
            }
            let (_, whole) = try Self.counted()
            #expect(whole["class CountedMore"]?.count == CountedMore.aliveMore)
            #expect(whole["class Counted"]?.count == Counted.alive - CountedMore.aliveMore)
            #expect(Counted.alive == 150_000)
        }
        #expect(Counted.alive == 0)
        let (_, none) = try Self.counted()
        #expect(none["class Counted"] == nil && none["class CountedMore"] == nil)
        var all: [Counted?] = (0..<150_000).map {
            $0.isMultiple(of: 3) ? CountedMore() : Counted()
        }
        for index in all.indices where !index.isMultiple(of: 7) { all[index] = nil }
        let (_, rest) = try Self.counted()
        #expect(rest["class CountedMore"]?.count == CountedMore.aliveMore)
        #expect(rest["class Counted"]?.count == Counted.alive - CountedMore.aliveMore)
        #expect(Counted.alive > 20_000)
        withExtendedLifetime(all) {}
    }

    @Test("generic objects, arrays, dictionaries, strings and what closures have are told apart")
    func kinds() throws {
        let numbers = (0..<300).map { Generic($0) }
        let texts = (0..<200).map { Generic("\($0)") }
        let arrays = (0..<100).map { [Int16](repeating: 1, count: $0 + 1) }
        let tables = (0..<50).map { [Int32($0): Int8(1)] }
        let strings = (0..<70).map { String(repeating: "größer ", count: $0 + 9) }
        // With a single captured reference, that object itself would be the context.
        let closures: [() -> (Generic<Int>, Generic<String>)] = zip(numbers, texts).prefix(40).map {
            number, text in { (number, text) }
        }
        let (_, rows) = try Self.counted()
        #expect(rows["class Generic<Int>"]?.count == 300)
        #expect(rows["class Generic<String>"]?.count == 200)
        #expect(rows["array [Int16]"]?.count == 100)
        #expect(rows["dictionary [Int32: Int8]"]?.count == 50)
        #expect(try #require(rows["string String"]).count >= 70)
        #expect(try #require(rows["captures Generic<Int>, Generic<String>"]).count >= 40)
        withExtendedLifetime((numbers, texts, arrays, tables, strings, closures)) {}
    }

    @Test("an object that only unowned references keep the memory of is not counted")
    func unowned() throws {
        final class Owned {}
        struct Leads { unowned let object: Owned }
        var objects = (0..<500).map { _ in Owned() }
        let leads = objects.map { Leads(object: $0) }
        #expect(try Self.counted().1["class Owned"]?.count == 500)
        objects.removeLast(400)
        #expect(try Self.counted().1["class Owned"]?.count == 100)
        withExtendedLifetime((objects, leads)) {}
    }

    @Test("large blocks are counted by their sizes")
    func blocks() throws {
        func large() throws -> Int {
            try Self.counted().0.others.last { $0.below == nil }?.count ?? 0
        }
        let before = try large()
        let blocks = (0..<20).map { _ in
            UnsafeMutableRawPointer.allocate(byteCount: 40 << 20, alignment: 16)
        }
        #expect(try large() == before + 20)
        for block in blocks { block.deallocate() }
        #expect(try large() == before)
    }

    @Test("threads that take and give back blocks all the time change nothing of what is there")
    func churn() throws {
        let all = (0..<20_000).map { _ in Counted() }
        let isDone = Locked(false)
        for number in 0..<4 {
            try NativeThread.start(name: "churn-\(number)") {
                var kept: [[UInt8]] = []
                while !isDone.withLock({ $0 }) {
                    kept.append([UInt8](repeating: 1, count: kept.count * 37 % 5_000))
                    if kept.count > 300 { kept.removeFirst(200) }
                }
            }
        }
        var torn = 0
        for _ in 0..<40 {
            let census = try HeapCensus.counted(until: Self.soon)
            guard census.gaps == [] else {
                torn += 1
                continue
            }
            let names = HeapNames(census)
            let count = census.rows.first { names.name(of: $0)?.text == "Counted" }?.count
            #expect(count == 20_000)
        }
        isDone.withLock { $0 = true }
        #expect(torn <= 4)
        withExtendedLifetime(all) {}
    }
}
#endif
