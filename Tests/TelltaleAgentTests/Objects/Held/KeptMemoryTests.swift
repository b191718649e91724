#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent

@Suite("All that is kept for later commands shares one bound in bytes")
struct KeptMemoryTests {
    private let dropped = Locked<[String]>([])

    private func memory(_ limit: Int) -> KeptMemory {
        let memory = KeptMemory(limit: limit)
        for kind in KeptMemory.Kind.allCases {
            memory.dropping(kind) { [dropped] number in
                dropped.withLock { $0.append("\(kind.rawValue) \(number)") }
            }
        }
        return memory
    }

    @Test("the oldest goes first, whatever it is, and is counted")
    func oldest() {
        let memory = memory(1000)
        memory.keep(.changes, 1, bytes: 400)
        memory.keep(.dumps, 1, bytes: 300)
        memory.keep(.jobs, 7, bytes: 300)
        #expect(dropped.withLock { $0 } == [])
        memory.keep(.changes, 2, bytes: 500)
        #expect(dropped.withLock { $0 } == ["changes 1", "dumps 1"])
        #expect(
            memory.text.contains("let go at the bound, the oldest first: 1 of changes, 1 of dumps"))
        #expect(
            memory.text.contains("800 B of 1000 B: changes 500 B, jobs 300 B"), "\(memory.text)")
    }

    @Test("the last one stays, however large; what was forgotten counts for nothing")
    func last() {
        let memory = memory(1000)
        memory.keep(.changes, 1, bytes: 900)
        memory.forget(.changes, 1)
        memory.keep(.changes, 2, bytes: 5000)
        #expect(dropped.withLock { $0 } == [])
        memory.keep(.changes, 3, bytes: 5000)
        #expect(dropped.withLock { $0 } == ["changes 2"])
        for number in 4..<1000 { memory.keep(.changes, number, bytes: 10) }
        #expect(dropped.withLock { $0.count } == 898)
    }
}

@Suite("What values keep from being freed is estimated by their storage")
struct KeptSizeTests {
    private final class Node {
        var text = String(repeating: "x", count: 100_000)
        var next: Node?
    }
    private struct Holder {
        var number = 1
        var list: [Int]?
    }

    private static func about(_ size: Int, _ wanted: Int) -> Bool {
        size >= wanted && size < wanted + wanted / 4 + 512
    }

    @Test("texts, collections and what is in them")
    func collections() {
        #expect(KeptSize.of(1, "short", nil) == 0)
        #expect(Self.about(KeptSize.of(String(repeating: "a", count: 50_000)), 50_000))
        #expect(Self.about(KeptSize.of([Int](repeating: 1, count: 100_000)), 800_000))
        let texts = (0..<1000).map { "\($0)" + String(repeating: "b", count: 1000) }
        #expect(Self.about(KeptSize.of(texts), 1_016_000))
        #expect(Self.about(KeptSize.of(Holder(list: [Int](repeating: 2, count: 5000))), 40_000))
        let table = Dictionary(uniqueKeysWithValues: (0..<1000).map { ($0, $0) })
        #expect(KeptSize.of(table) >= 16_000)
    }

    @Test("objects that nothing else refers to, and not those that others have")
    func objects() {
        let chain = Node()
        chain.next = Node()
        #expect(Self.about(KeptSize.of(chain), 200_000))
        let shared = Node()
        let others = (0..<16).map { _ in shared }
        #expect(KeptSize.of(shared) == 0)
        withExtendedLifetime(others) {}
    }
}
#endif
