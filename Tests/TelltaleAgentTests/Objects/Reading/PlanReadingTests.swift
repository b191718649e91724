#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent

/// A tree is shown and written exactly as its nodes are, byte for byte.
@Suite("Trees are shown as their nodes") struct PlanReadingTests {
    let masks = MaskPolicy(additionalNames: ["shoe"])

    func answers(
        _ root: AnyObject, _ path: [ValuePath.Component] = [],
        _ change: (inout ReadLimits) -> Void = { _ in }
    ) throws -> (fast: ValueAnswer, slow: ValueAnswer) {
        var limits = ReadLimits(deadline: .now.advanced(by: .seconds(60)))
        change(&limits)
        let reader = ValueReader(limits: limits, masks: masks, handles: HandleTable())
        let content = try reader.readContent(.object(root), rootName: "root", path: path)
        reader.number(content, rootName: "root")
        func answer(_ content: ValueContent) -> ValueAnswer {
            ValueAnswer(path: "root", content: content, owner: "none", read: "in place")
        }
        return (answer(content), answer(.node(content.node)))
    }

    private func json(_ answer: ValueAnswer) throws -> String {
        guard let packed = answer.packedResult else {
            return try answer.result().serialized()
        }
        var bytes = packed.before
        var written = 0
        let isDone = packed.value.writeJSON {
            bytes.append(contentsOf: $0)
            written += $0.count
            return true
        }
        #expect(isDone && written <= packed.value.longestJSON)
        return String(decoding: bytes + packed.after, as: UTF8.self)
    }

    func expectSame(
        _ pair: (fast: ValueAnswer, slow: ValueAnswer), isPacked: Bool = true
    ) throws {
        if isPacked { #expect(pair.fast.packedResult != nil) }
        #expect(pair.fast.value == pair.slow.value)
        #expect(try json(pair.fast) == json(pair.slow))
        #expect(pair.fast.rendered() == pair.slow.rendered())
        #expect(PlainAnswer(pair.fast).rendered() == PlainAnswer(pair.slow).rendered())
        #expect(pair.fast.exitStatus == pair.slow.exitStatus)
    }

    @Test("every kind of value")
    func everything() throws {
        let text = "some text that is longer than a word"
        try expectSame(answers(Sample.Everything(text: text)))
        try expectSame(answers(PlanZoo()))
    }

    @Test("within every bound", arguments: [0, 1, 2, 3, 7, 30])
    func bounds(_ number: Int) throws {
        let zoo = PlanZoo()
        let everything = Sample.Everything(text: "a text that is cut somewhere in the middle of it")
        for root in [zoo, everything] as [AnyObject] {
            try expectSame(answers(root) { $0.depth = number })
            try expectSame(answers(root) { $0.elements = number })
            try expectSame(answers(root) { $0.bytes = number * 300 })
            try expectSame(answers(root) { $0.stringBytes = number })
        }
    }

    @Test("below the root")
    func paths() throws {
        let zoo = PlanZoo()
        try expectSame(answers(zoo, [.property("people"), .range(1..<3)]))
        try expectSame(answers(zoo, [.property("people"), .index(2)]))
        try expectSame(answers(zoo, [.property("numbers"), .range(10..<90)]))
        try expectSame(answers(zoo, [.property("nested")]))
        try expectSame(answers(zoo, [.property("byName")]))
        try expectSame(answers(zoo, [.property("slice"), .range(1..<2)]), isPacked: false)
        try expectSame(answers(zoo, [.property("people"), .property("count")]), isPacked: false)
    }

    @Test("more objects than there are numbers")
    func manyObjects() throws {
        let crowd = PlanZoo.Crowd(count: HandleTable.capacity + 1200)
        let (fast, slow) = try answers(crowd) { $0.elements = 100_000 }
        try expectSame((fast, slow))
        #expect(fast.value.children[0].children.last?.handle == HandleTable.capacity + 1201)
    }

    @Test("an answer's 10,000 objects each have a number that leads to it, the same each time")
    func numbersOfOneAnswer() throws {
        let crowd = PlanZoo.Crowd(count: 10_000)
        let handles = HandleTable()
        var limits = ReadLimits(deadline: .now.advanced(by: .seconds(60)))
        limits.elements = 100_000
        let reader = ValueReader(limits: limits, masks: masks, handles: handles)
        func numbers() throws -> [Int] {
            try reader.read(.object(crowd), rootName: "root", path: []).children[0].children
                .compactMap(\.handle)
        }
        let first = try numbers()
        #expect(Set(first).count == 10_000)
        #expect(first.allSatisfy { handles.place(of: $0) != nil })
        #expect(try numbers() == first)
    }

    @Test("an object has the same number each time")
    func numbers() throws {
        let zoo = PlanZoo()
        let handles = HandleTable()
        let limits = ReadLimits(deadline: .now.advanced(by: .seconds(60)))
        let reader = ValueReader(limits: limits, masks: masks, handles: handles)
        let first = try reader.read(.object(zoo), rootName: "root", path: [])
        #expect(try reader.read(.object(zoo), rootName: "root", path: []) == first)
        let people = try #require(first.children.first { $0.label == "people" })
        let number = try #require(people.children[3].handle)
        let place = try #require(handles.place(of: number))
        #expect(place.path == [.property("people"), .index(3)] && place.typeName == "Person")
        let entry = try #require(first.children.first { $0.label == "byName" })
        let keyNumber = try #require(entry.children[0].handle)
        let keyed = try #require(handles.place(of: keyNumber))
        #expect(keyed.path == [.property("byName"), .key(.string("a \"b\""))])
    }

    @Test("a frozen copy is read so too")
    func snapshot() throws {
        let zoo = PlanZoo()
        let limits = ReadLimits(deadline: .now.advanced(by: .seconds(60)))
        let content = try SnapshotReader(limits: limits, masks: masks, handles: HandleTable())
            .readContent(.object(zoo), rootName: "root", path: [])
        guard case .packed = content else {
            Issue.record("it was read in Swift")
            return
        }
        // No lock is taken there, and the answer says so.
        func withoutMutex(_ node: ValueNode) -> [ValueNode] {
            node.children.filter { $0.label != "mutex" }
        }
        let copied = withoutMutex(content.node)
        #expect(copied.count == content.node.children.count - 1)
        #expect(try copied == withoutMutex(answers(zoo).slow.value))
    }

    @Test("an array that is none is an answer")
    func torn() throws {
        let zoo = PlanZoo.Torn()
        for word: UInt in [0, 3, 8, 0x1000, .max, 0xDEAD_BEEF_DEAD_BEE8] {
            zoo.set(word)
            try expectSame(answers(zoo))
        }
        zoo.set(zoo.before)
    }

    @Test("a deadline that has passed cuts both")
    func late() throws {
        let (fast, slow) = try answers(PlanZoo()) { $0.deadline = .now }
        #expect(fast.value == slow.value)
        #expect(fast.value.cut?.reason == "deadline")
    }
}
#endif
