#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime
@testable import TelltaleValues

@Suite("Bounds of what is asked of a collection")
struct QueryBoundsTests {
    private func ask(
        _ object: AnyObject, _ text: String,
        _ change: (inout ReadLimits) -> Void = { _ in }
    ) throws -> ValueNode {
        try ValueReader.usual { change(&$0) }.ask(object, text)
    }

    @Test("a text is looked through for another in time that grows with its length")
    func contains() throws {
        let part = String(repeating: "q", count: 1800)
        let text = "x.texts where self contains \"\(part)z\(part)\" count"
        let start = ContinuousClock.now
        #expect(try ask(LongTexts(), text).text == "0")
        let time = ContinuousClock.now - start
        // By letters it is 58 s where it is optimised.
        #expect(time < .seconds(2), "\(time)")
    }

    private final class LongTexts {
        let texts = (0..<8).map { _ in String(repeating: "q", count: 62_000) }
    }

    @Test("the time is looked at by what was compared, not by how many elements there were")
    func deadline() throws {
        let texts = ManyLongTexts()
        let part = String(repeating: "q", count: 5)
        let condition = (0..<24).map { _ in "self contains \"\(part)z\"" }.joined(separator: " || ")
        let start = ContinuousClock.now
        let failure = #expect(throws: CommandFailure.self) {
            try ask(texts, "x.texts where \(condition) count") {
                $0.deadline = MonotonicTime.now.advanced(by: .milliseconds(150))
            }
        }
        #expect(failure?.code == .timeout)
        let time = ContinuousClock.now - start
        #expect(time < .milliseconds(900), "\(time)")
    }

    @Test("a list of which not all was looked at says so where its value stands alone too")
    func unseen() throws {
        let texts = ManyLongTexts()
        let part = String(repeating: "q", count: 5)
        let condition = (0..<24).map { _ in "self contains \"\(part)z\"" }.joined(separator: " || ")
        let node = try ask(texts, "x.texts where \(condition)") {
            $0.deadline = MonotonicTime.now.advanced(by: .milliseconds(150))
        }
        #expect(node.children.isEmpty && node.cut?.reason == "deadline", "\(node)")
        let answer = PlainAnswer(
            ValueAnswer(path: "x", value: node, owner: "none", read: "in place"))
        #expect(answer.rendered().hasPrefix("[…deadline ("), "\(answer.rendered())")
        #expect(answer.remarks.contains { $0.contains("were not looked at") })
    }

    private final class ManyLongTexts {
        let texts = (0..<60).map { _ in String(repeating: "q", count: 62_000) }
    }

    @Test(
        "the first and the last of a dictionary or a set are all that is asked",
        arguments: [
            ("x.ratings first 0 where true count", "0"),
            ("x.ratings first 2 where true count", "2"),
            ("x.ratings last 1 where true count", "1"), ("x.ratings first 1 sorted by value", nil),
            ("x.tags first 1 where true count", "1"), ("x.tags last 0 where true count", "0"),
            ("x.tags first 0 sum", "0"), ("x.ratings first 9 where true count", "3"),
        ])
    func narrowed(_ text: String, _ result: String?) throws {
        let node = try ask(Gallery(), text)
        if let result { #expect(node.text == result) } else { #expect(node.children.count == 1) }
    }

    @Test("behind a page that is full all others are looked at too")
    func pages() throws {
        let many = ManyTitles()
        // Room for about a tenth of them.
        func ask(_ text: String) throws -> ValueNode {
            try self.ask(many, text) { $0.bytes = 64 << 10 }
        }
        #expect(try ask("x.photos where title contains \"t\" count").text == "600")
        #expect(try ask("x.photos sum size").text == "\(600 * 599 / 2)")
        #expect(try ask("x.photos max size").text == "599")
        #expect(try ask("(x.photos sorted by size descending)[0].size").text == "599")
        let tooSmall = #expect(throws: CommandFailure.self) {
            try self.ask(many, "x.photos where size >= 0") { $0.bytes = 1 }
        }
        #expect(tooSmall?.message.hasSuffix(".size was not read: for the bytes") == true)
    }

    private final class ManyTitles {
        let photos = (0..<600).map {
            Shot(String(repeating: "t", count: 1000), size: $0, album: nil, isNew: true)
        }
    }

    @Test("what of an element was not read is said as that")
    func inner() throws {
        let deep = Deep()
        func refusal(_ text: String) -> String? {
            #expect(throws: CommandFailure.self) { try ask(deep, text) }?.message
        }
        #expect(try ask(deep, "x.parts where wide[999] == 999 count").text == "1")
        #expect(
            refusal("x.parts where wide[1500] == 1500")
                == "no element of x.parts fits the question: [1500] was not read: not beyond 1,000 elements"
        )
        #expect(refusal("x.parts where wide[2000] == 7")?.hasSuffix("has no [2000]") == true)
        #expect(refusal("x.parts where wide.last == 7")?.contains("not beyond 1,000") == true)
        #expect(try ask(deep, "x.parts where wide.count == 2000 count").text == "1")
        #expect(refusal("x.parts where text.count > 3")?.contains("too long") == true)
        #expect(refusal("x.parts where text.size > 3")?.contains("has no .size") == true)
    }

    private final class Part {
        let wide = Array(0..<2000)
        let text = String(repeating: "x", count: 70_000)
    }

    private final class Deep { let parts = [Part()] }

    @Test("the extreme of a dictionary is one of its keys or a part of its values")
    func extremes() throws {
        let boxes = Boxes()
        #expect(try ask(boxes, "x.ratings max key").text == "\"b\"")
        #expect(try ask(boxes, "x.ratings min key").text == "\"a\"")
        #expect(try ask(boxes, "x.ratings max value").text == "2")
        #expect(try ask(boxes, "(x.ratings max key).count").text == "1")
        #expect(throws: CommandFailure.self) { try ask(boxes, "(x.ratings max key).size") }
        #expect(try ask(boxes, "x.boxes max inner.value").text == "8")
        #expect(try ask(boxes, "x.boxes max value.inner.value").text == "8")
    }

    private struct Inner { let value: Int }
    private struct Box { let inner: Inner }

    private final class Boxes {
        let ratings = ["a": 1, "b": 2]
        let boxes = ["p": Box(inner: Inner(value: 8)), "q": Box(inner: Inner(value: 4))]
    }

    @Test("durations have the order of their lengths, and wide integers are exact")
    func orders() throws {
        let measured = Measured()
        #expect(try ask(measured, "x.times where self > \"1000 seconds\" count").text == "1")
        #expect(
            try ask(measured, "x.times sorted by self").children.map(\.label) == [
                "[1]", "[0]", "[2]",
            ])
        #expect(try ask(measured, "x.times where self == \"9 seconds\" count").text == "1")
        #expect(try ask(measured, "x.byTime where key < \"9.5 seconds\" count").text == "1")
        let failure = #expect(throws: CommandFailure.self) {
            try ask(measured, "x.times where self > \"soon\"")
        }
        #expect(
            failure?.message.hasSuffix("\"soon\" is not a Duration, as \"1.5 seconds\" is") == true)
        #expect(try ask(measured, "x.wide.max").text == String(Int128.max))
        #expect(try ask(measured, "x.wide sorted by self").children.map(\.label) == ["[1]", "[0]"])
    }

    @Test("durations are added up")
    func sums() throws {
        let measured = Measured()
        let sum = try ask(measured, "x.times.sum")
        #expect(sum.text == "\"1020.0 seconds\"" && sum.type == "Duration")
        #expect(try ask(measured, "x.times where self > \"3600 seconds\" sum").text == "0")
    }

    @Test("what is equal keeps the order that an earlier clause gave it")
    func stable() throws {
        let shots = Shots()
        func names(_ text: String) throws -> String {
            try ask(shots, text).children.map {
                $0.label ?? ""
            }.joined()
        }
        // By title, then by size: the titles' order is left among those of one size.
        #expect(try names("x.list sorted by title sorted by size") == "[3][1][2][0]")
        #expect(try names("x.list sorted by title descending sorted by size") == "[1][3][0][2]")
        #expect(
            try names("x.list sorted by title sorted by isNew descending") == "[2][0][3][1]")
        #expect(try names("x.list[1...3] sorted by title sorted by size") == "[3][1][2]")
        #expect(
            try names("x.table sorted by value.title sorted by value.size")
                == #"["d"]["b"]["c"]["a"]"#)
    }

    private final class Shots {
        let list = [("d", 2), ("c", 1), ("b", 2), ("a", 1)].map {
            Shot($0.0, size: $0.1, album: nil, isNew: $0.1 == 2)
        }
        let table: [String: Shot]
        init() { table = ["a": list[0], "b": list[1], "c": list[2], "d": list[3]] }
    }

    @Test("elements that are too large to be read are no matter of the deadline")
    func size() throws {
        for text in ["x.list sum size", "x.list where size > 0 count"] {
            let failure = #expect(throws: CommandFailure.self) {
                try ask(Shots(), text) { $0.bytes = 1 }
            }
            #expect(
                failure?.message.contains("deadline") == false, "\(String(describing: failure))")
        }
    }

    private final class Measured {
        let times: [Duration] = [.seconds(10), .seconds(9), .seconds(1001)]
        let byTime: [Duration: Int] = [.seconds(10): 1, .seconds(9): 2]
        let wide = [Int128.max, Int128.max - 1]
    }

    @Test("as many as are sorted by texts are collected, and no longer than there is time")
    func sorting() throws {
        var texts = SortedElements()
        var taken = 0
        while taken < 40_000, try texts.add(.string("\(taken)"), at: taken) { taken += 1 }
        #expect(taken == 32_768)
        let tooMany = #expect(throws: CommandFailure.self) {
            try texts.positions(isDescending: false, in: "x", until: .distantFuture)
        }
        #expect(tooMany?.code == .bound)
        var long = SortedElements()
        var places = 0
        while places < 2000,
            try long.add(.string(String(repeating: "é", count: 30_000)), at: places)
        {
            places += 1
        }
        #expect(places < 1200)
        let failure = #expect(throws: CommandFailure.self) {
            try long.positions(isDescending: false, in: "x", until: .distantFuture)
        }
        #expect(failure?.message.contains("longer than") == true)
        var late = SortedElements()
        for place in 0..<4000 { _ = try late.add(.string("\(place % 7)"), at: place) }
        let timeout = #expect(throws: CommandFailure.self) {
            try late.positions(isDescending: false, in: "x", until: .now)
        }
        #expect(timeout?.code == .timeout)
    }

    @Test("what was found by then is all that a search says when its time is over")
    func matches() throws {
        let texts = FoldedTexts()
        let word = String(repeating: "é", count: 499) + "x"
        let reader = ValueReader.usual {
            $0.depth = 3
            $0.elements = 1000
        }
        let content = try reader.readContent(.object(texts), rootName: "x", path: [], query: nil)
        guard case .packed(let tree as ReadTree) = content else {
            Issue.record("the tree is not packed")
            return
        }
        func search(_ word: String, until deadline: MonotonicTime) -> ValueSearch {
            ValueSearch(word: word, root: "x", most: 10, until: deadline)
        }
        let start = ContinuousClock.now
        for matches in [
            search(word, until: .distantFuture).matches(in: tree),
            search(word, until: .distantFuture).matches(in: tree.node),
        ] {
            #expect(matches.total == 0)
            #expect(matches.looked == tree.count)
        }
        let time = ContinuousClock.now - start
        #expect(time < .seconds(3), "\(time)")
        let found = search("NEEDLE", until: .distantFuture)
        #expect(found.matches(in: tree).found.map(\.label) == ["x.texts[60]"])
        #expect(found.matches(in: tree.node).found.map(\.label) == ["x.texts[60]"])
        let late = search("NEEDLE", until: .now)
        #expect(
            late.matches(in: tree).notes == ["not looked through: 63 values, for the deadline"])
        #expect(
            late.matches(in: tree.node).notes == [
                "not looked through: further values, for the deadline"
            ])
    }

    private final class FoldedTexts {
        // The last one's word stands across two pieces of 4,096 bytes.
        let texts =
            (0..<60).map { _ in String(repeating: "é", count: 30_000) }
            + [String(repeating: "a", count: 4093) + "Needle"]
    }
}
#endif
