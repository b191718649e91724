#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent

/// Knows itself what it was given.
private final class Generated {
    struct Point: Hashable { var x: Double, y: Double }
    struct Entry: Hashable {
        var name: String
        var point: Point?
        let tags: [String]
        var span: Range<Int>
    }
    enum Mood: Hashable { case calm, busy(Int), moved(to: Point), said(String, loud: Bool) }

    var int = 0
    var small: Int8 = 0
    var wide: UInt64 = 0
    var double = 0.0
    var single: Float = 0
    var flag = false
    var text = ""
    var letter: Character = "a"
    var maybe: Int??
    var mood = Mood.calm
    var point = Point(x: 0, y: 0)
    var entry = Entry(name: "", point: nil, tags: [], span: 0..<0)
    var list: [Int] = []
    var texts: [String?] = []
    var set: Set<Mood> = []
    var table: [String: [Double]] = [:]
    var byPoint: [Point: Mood] = [:]
    var range = 0..<0
    var closed = 0...0
    var time = Duration.zero
    var pair: (Int, label: String) = (0, "")
}

@Suite("Values that were generated are set as they were typed, and put back")
struct ChangingGeneratedTests {
    private static let words = [
        "", "a", "\"q\"", "line\nnext", "é👩‍👩‍👧", "\\(x)", "null",
        "long " + String(repeating: "x", count: 60),
    ]

    @Test("2,000 values of 21 types, each as `get` prints it")
    func values() throws {
        var random = SeededGenerator(seed: 14)
        let host = Generated()
        for round in 0..<100 {
            try check(host, "int", \.int, Int.random(in: .min ... .max, using: &random))
            try check(host, "small", \.small, Int8.random(in: .min ... .max, using: &random))
            try check(host, "wide", \.wide, UInt64.random(in: 0 ... .max, using: &random))
            try check(host, "double", \.double, double(&random))
            try check(host, "single", \.single, Float(double(&random)))
            try check(host, "flag", \.flag, Bool.random(using: &random))
            try check(host, "text", \.text, word(&random))
            try check(
                host, "letter", \.letter,
                ["a", "é", "\n", "👩‍👩‍👧", "\""].randomElement(using: &random) ?? "a")
            try check(host, "maybe", \.maybe, round % 3 == 0 ? nil : .some(.some(round)))
            try check(host, "mood", \.mood, mood(&random))
            try check(host, "point", \.point, point(&random))
            try check(host, "entry", \.entry, entry(&random))
            try check(
                host, "list", \.list,
                (0..<round % 7).map { _ in Int.random(in: -9...9, using: &random) })
            try check(host, "texts", \.texts, (0..<round % 4).map { $0 == 1 ? nil : word(&random) })
            try check(host, "set", \.set, Set((0..<round % 4).map { _ in mood(&random) }))
            try check(
                host, "table", \.table,
                ["a b": [double(&random)], "\"": [], "+" + word(&random): []])
            let byPoint = [(point(&random), mood(&random)), (point(&random), .calm)]
            try check(host, "byPoint", \.byPoint, Dictionary(byPoint) { first, _ in first })
            try check(host, "range", \.range, -round..<round)
            try check(host, "closed", \.closed, -round...round)
            try check(
                host, "time", \.time,
                .milliseconds(Int.random(in: -99_999...99_999, using: &random)))
            host.pair = (0, "")
            let text = "(\(round), label: \(Literal.quoted(word(&random))))"
            #expect(try change(host, ".pair", text).newText == text)
        }
    }

    private func check<Value: Equatable>(
        _ host: Generated, _ name: String, _ place: ReferenceWritableKeyPath<Generated, Value>,
        _ value: Value
    ) throws {
        let before = host[keyPath: place]
        host[keyPath: place] = value
        let text = try ValueReader.usual().read(host, "x.\(name)").plainText
        host[keyPath: place] = before
        let performed = try change(host, ".\(name)", text)
        #expect(host[keyPath: place] == value, "\(name) = \(text)")
        if Value.self is any TypedScalar.Type { #expect(performed.newText == text, "\(name)") }
        _ = try changingWriter().undo(performed, root: .object(host))
        #expect(host[keyPath: place] == before, "\(name) = \(text), put back")
        host[keyPath: place] = value
    }

    private func word(_ random: inout SeededGenerator) -> String {
        Self.words.randomElement(using: &random) ?? ""
    }

    private func double(_ random: inout SeededGenerator) -> Double {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: Double(Int.random(in: -1000...1000, using: &random))
        case 1: .infinity
        case 2: Double.random(in: -1e300...1e300, using: &random)
        default: Double.random(in: -1...1, using: &random)
        }
    }

    private func point(_ random: inout SeededGenerator) -> Generated.Point {
        .init(x: double(&random), y: double(&random))
    }

    private func mood(_ random: inout SeededGenerator) -> Generated.Mood {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .calm
        case 1: .busy(.random(in: .min ... .max, using: &random))
        case 2: .moved(to: point(&random))
        default: .said(word(&random), loud: .random(using: &random))
        }
    }

    private func entry(_ random: inout SeededGenerator) -> Generated.Entry {
        let lower = Int.random(in: -5...5, using: &random)
        return .init(
            name: word(&random), point: Bool.random(using: &random) ? point(&random) : nil,
            tags: [word(&random), word(&random)], span: lower..<lower + 3)
    }
}

/// Counts those that are alive.
private final class Counted {
    nonisolated(unsafe) static var alive = 0
    init() { Self.alive += 1 }
    deinit { Self.alive -= 1 }
}

private final class Holder {
    var text = String(repeating: "s", count: 40)
    var list = [Counted()]
    var reference: Counted? = Counted()
    weak var weakly: Counted?
    unowned var unownedly: Counted
    let spare = [Counted(), Counted()]
    init() { unownedly = spare[0] }
}

@Suite("Nothing is leaked and nothing freed early by changes", .serialized)
struct ChangingCountTests {
    @Test("after 10,000 of strings, arrays and references; a million with TELLTALE_SOAK=1")
    func counts() throws {
        let before = Counted.alive
        do {
            let host = Holder()
            let spare = host.spare
            for index in 0..<Soak.count(2_000, soak: 200_000) {
                let object = spare[index & 1]
                let path = ["reference", "weakly", "unownedly"][index % 3]
                let reference = try set(host, path, object)
                try change(host, ".text", "\"a text that is on the heap, number \(index)\"")
                let list = try edit(
                    host, ".list", .operation(.append, typed(["spare[0]"], object)))
                #expect(host.list.count == 2)
                _ = try changingWriter().undo(list, root: .object(host))
                if index % 5 == 0 {
                    _ = try changingWriter().undo(reference, root: .object(host))
                }
                if index % 7 == 0 { try change(host, ".reference", "nil") }
            }
            host.reference = nil
            // Its own, and those that it keeps.
            #expect(Counted.alive == before + 3)
            #expect(host.list.count == 1)
        }
        #expect(Counted.alive == before)
    }

    private func typed(_ arguments: [String], _ object: AnyObject) -> TypedText {
        var text = TypedText(argumentsOf: arguments.joined(separator: ", "))
        for path in text.paths {
            text.references.found[path.description] = .success(
                HeldValue(object, of: .none, .toOwnerOrHost))
        }
        return text
    }

    private func set(_ host: Holder, _ path: String, _ object: AnyObject) throws -> PerformedChange
    {
        var text = TypedText("#7")
        text.references.found["#7"] = .success(HeldValue(object, of: .none, .toOwnerOrHost))
        return try edit(host, ".\(path)", .assign(text))
    }
}
#endif
