#if TELLTALE_AGENT
import Foundation
import TelltaleFoundation
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent

/// Values whose contents are not those of properties.
private final class Contents {
    struct Point { var x = 1.0, y = 2.0 }
    struct Header {
        var name = "a"
        var value: Int = 0
    }
    indirect enum Tree {
        case leaf
        case node(Tree, Int, Tree)
    }
    struct Half { var half: Float16 = 0 }

    var half: Float16 = 0
    var wrapped = Half()
    var vector = SIMD4<Float>()
    var three = SIMD3<Int16>(1, 2, 3)
    var date = Date(timeIntervalSince1970: 0)
    var data = Data()
    var ratings = ["a": 1]
    var header = Header()
    var points: [Point] = []
    var tree = Tree.leaf
    var inline: [4 of Int] = [1, 2, 3, 4]
    var inlinePoints: [2 of Point] = [Point(), Point()]
    var text = "t"
}

@Suite("What a change says and keeps of values that are hard to see")
struct ChangingAttackTests {
    private let host = Contents()

    init() { Telltale.useFoundation() }

    private func undo(_ change: PerformedChange) throws {
        _ = try changingWriter().undo(change, root: .object(host))
    }

    @Test("an undo keeps a newer value of a kind that has no properties to compare")
    func newer() throws {
        let half = try change(host, ".half", "1.5")
        #expect(half.newText == "1.5")
        host.half = 2.5
        #expect(throws: CommandFailure.self) { try undo(half) }
        host.half = 1.5
        try undo(half)
        #expect(host.half == 0)

        let wrapped = try change(host, ".wrapped", "(half: 3.5)")
        host.wrapped.half = 2.5
        #expect(throws: CommandFailure.self) { try undo(wrapped) }

        let vector = try change(host, ".vector", "[1, 2, 3, 4]")
        #expect(vector.newText == "[1.0, 2.0, 3.0, 4.0]")
        host.vector.z = 9
        #expect(throws: CommandFailure.self) { try undo(vector) }
        #expect(host.half == 0 && host.wrapped.half == 2.5 && host.vector.z == 9)
    }

    @Test("an undo keeps a newer value that is shown as the same")
    func sameText() throws {
        let date = try change(host, ".date", "\"2026-01-01T00:00:00Z\"")
        host.date += 0.000_1
        let newer = host.date
        #expect(throws: CommandFailure.self) { try undo(date) }
        #expect(host.date == newer)
        let data = try change(host, ".data", "\"aGVsbG8=\"")
        try undo(data)
        #expect(host.data.isEmpty)
    }

    @Test("lanes of a vector and elements of an inline array are set in their place")
    func elements() throws {
        try change(host, ".three[1]", "7")
        #expect(host.three == SIMD3(1, 7, 3))
        let performed = try change(host, ".inline[2]", "7")
        #expect(host.inline[2] == 7 && host.inline[1] == 2 && host.inline[3] == 4)
        try undo(performed)
        #expect(host.inline[2] == 3)
        try change(host, ".inlinePoints[1].y", "8")
        #expect(host.inlinePoints[1].y == 8 && host.inlinePoints[0].y == 2)
        #expect(refusal(host, ".inline[4]", "1")?.hint == "indices are 0 to 3")
        #expect(refusal(host, ".inline[\"a\"]", "1")?.code == .unsupported)
    }

    @Test(
        "a secret is not repeated where its name comes behind it",
        arguments: [
            "\"hush22\", forKey: \"password\"", "hush22, forKey: \"password\"",
            "(hush22: 1), forKey: \"password\"", "hush22(x: 1), forKey: \"password\"",
            "\"hush22\", forKey: password", "\"hush22\", forKey: (\"password\", 1)",
        ])
    func keys(arguments: String) {
        for operation in [ValueOperation.updateValue, .insert] {
            let failure = #expect(throws: CommandFailure.self) {
                try edit(
                    host, ".ratings", .operation(operation, TypedText(argumentsOf: arguments)))
            }
            #expect(failure?.description.contains("hush22") == false, "\(failure as Any)")
        }
    }

    @Test("the same of a struct's name and value")
    func pairs() {
        for text in [
            "(value: \"hush22\", name: \"password\")", "(name: \"password\", value: \"hush22\")",
        ] {
            let failure = refusal(host, ".header", text)
            #expect(failure?.description.contains("hush22") == false, "\(failure as Any)")
        }
        host.header.name = "password"
        let failure = refusal(host, ".header", "(value: \"hush22\")")
        #expect(failure?.message.contains("hush22") == false, "\(failure as Any)")
    }

    @Test("a number that a type is too small for is out of its range")
    func ranges() {
        for text in ["65520", "65520.0", "-1e9"] {
            let failure = refusal(host, ".half", text)
            #expect(failure?.message.contains("out of its range") == true, "\(failure as Any)")
            #expect(failure?.hint?.contains("from -65504.0 to 65504.0") == true)
        }
        #expect(refusal(host, ".half", "2049")?.message.contains("range") == false)
    }

    @Test("a key that is not there is not removed")
    func missingKeys() {
        let failure = refusal(host, ".ratings[\"none\"]", "nil")
        #expect(failure?.code == .notFound, "\(failure as Any)")
        #expect(host.ratings == ["a": 1])
    }

    @Test("what takes too long to make is given up before its owner's time is over")
    func longValues() throws {
        let points = Array(repeating: "(x: 1, y: 2)", count: 60_000)
        let text = "[" + points.joined(separator: ", ") + "]"
        let start = MonotonicTime.now
        let writer = ValueWriter(
            limits: ReadLimits(deadline: start.advanced(by: .milliseconds(40))),
            masks: MaskPolicy(additionalNames: []), owner: .none)
        let path = try ValuePath(parsing: "host.points").components
        let edit = ValueEdit.assign(TypedText(text))
        let failure = #expect(throws: CommandFailure.self) {
            try turns(of: edit, until: start.advanced(by: .milliseconds(40))) {
                try writer.change(.object(host), rootName: "host", path: path, edit)
            }
        }
        #expect(failure?.code == .timeout)
        #expect(failure?.message.contains("nothing was changed") == true)
        #expect(host.points.isEmpty)
    }

    @Test("a tree's numbers are no secrets, however deep it is")
    func trees() throws {
        let text =
            String(repeating: ".node(", count: 30) + ".leaf"
            + String(repeating: ", 5, .leaf)", count: 30)
        let performed = try change(host, ".tree", text)
        #expect(!performed.newText.contains("<masked>"), "\(performed.newText)")
        #expect(performed.newText.contains("5"))
    }

    @Test("names in backquotes are paths inside of a value too")
    func quotedNames() throws {
        let typed = TypedText("[`written.serial`.points, `a b`]")
        #expect(
            typed.paths == [
                try ValuePath(parsing: "`written.serial`.points"), try ValuePath(parsing: "`a b`"),
            ])
    }
}
#endif
