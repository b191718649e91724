#if TELLTALE_AGENT
import Foundation
import TelltaleFoundation
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent

/// Values that are made by an `init(from:)`.
private final class Decoded {
    struct Parts: Decodable, Equatable {
        var year: Int?
        var month: Int?
        var notes: [String: Int]?
    }
    struct Renamed: Decodable, Equatable {
        var name: String?
        var inner: Parts?
        enum CodingKeys: String, CodingKey { case name = "n", inner }
    }
    struct Holder: Decodable {
        var indices: IndexSet
        var interval: DateInterval?
    }

    var parts = Parts(year: 2001, month: 2)
    var renamed = Renamed(name: "n")
    var dateParts = DateComponents(year: 2001, month: 2)
    var indices = IndexSet([1, 2, 3])
    var interval = DateInterval(start: Date(timeIntervalSince1970: 0), duration: 5)
    var range = NSRange(location: 1, length: 2)
    var characters = CharacterSet.newlines
    var calendar = Calendar(identifier: .gregorian)
    var components = URLComponents()
    var price = Decimal(1)
    var holder = Holder(indices: [7])
}

@Suite("What is made by an init(from:)")
struct ChangingDecodedTests {
    private let host = Decoded()

    init() { Telltale.useFoundation() }

    @Test(
        "a path, a word or a property that there isn't does not empty a struct of optionals",
        arguments: [
            ".parts", ".dateParts",
        ],
        [
            "nonsense", "nosuch.thing", "#1", "(nosuch: 5)", "{\"nosuch\": 5}",
            "{\"year\": 1, \"nosuch\": 5}", "Parts(nosuch: 5)", "{\"year\": nosuch.thing}",
        ])
    func wiping(path: String, text: String) throws {
        #expect(refusal(host, path, text) != nil)
        // As once the path was looked for and not found.
        var typed = TypedText(text)
        for path in typed.paths {
            typed.references.found[path.description] = .failure(CommandFailure(.notFound, "no"))
        }
        #expect(throws: CommandFailure.self) { try edit(host, path, .assign(typed)) }
        #expect(host.parts == .init(year: 2001, month: 2))
        #expect(host.dateParts == DateComponents(year: 2001, month: 2))
    }

    @Test("the names that its init(from:) asks for are taken, also inside of it")
    func names() throws {
        try change(host, ".renamed", "{\"n\": \"x\", \"inner\": {\"notes\": {\"any\": 1}}}")
        #expect(host.renamed.name == "x" && host.renamed.inner?.notes == ["any": 1])
        let failure = refusal(host, ".renamed", "{\"n\": \"y\", \"inner\": {\"monht\": 1}}")
        #expect(failure?.message.contains("does not ask for 'monht'") == true, "\(failure as Any)")
        #expect(host.renamed.name == "x")
        try change(host, ".dateParts", "{\"year\": 2002}")
        #expect(host.dateParts.year == 2002)
    }

    @Test(
        "what Foundation would end the process for is refused",
        arguments: [
            (".indices", "{\"indexes\":[{\"location\":1,\"length\":-5}]}"),
            (".indices", "{\"indexes\":[{\"location\":-1,\"length\":5}]}"),
            (".indices", "{\"indexes\":[{\"location\":9223372036854775807,\"length\":5}]}"),
            (".indices", "{\"indexes\":[{\"location\":9223372036854775800,\"length\":7}]}"),
            (".indices", "(indexes: [(location: 1, length: -5)])"), (".indices", "[1, 2]"),
            (".interval", "{\"start\": 0, \"duration\": -1}"),
            (".interval", "{\"start\": 0, \"duration\": nan}"),
            (".range", "[-1, 5]"), (".range", "[9223372036854775807, 5]"),
            (".characters", "{\"bitmap\": \"AAAA\"}"),
            (".calendar", "{\"identifier\": \"gregorian\", \"firstWeekday\": 80}"),
            (".components", "{\"port\": -1}"), (".components", "{\"scheme\": \"1 \"}"),
            (".price", "{\"exponent\": 4000, \"length\": 70}"),
            (".holder", "{\"indices\": {\"indexes\":[{\"location\":1,\"length\":-5}]}}"),
            (".dateParts", "{\"calendar\": {\"identifier\": \"gregorian\", \"firstWeekday\": 80}}"),
        ])
    func trapping(path: String, text: String) {
        let failure = refusal(host, path, text)
        #expect(failure?.code == .wrongType, "\(failure as Any)")
        #expect(host.indices == IndexSet([1, 2, 3]) && host.holder.indices == [7])
    }

    @Test("what it takes is taken")
    func fitting() throws {
        try change(host, ".indices", "{\"indexes\":[{\"location\":1,\"length\":5}]}")
        #expect(host.indices == IndexSet(1..<6))
        try change(host, ".holder", "{\"indices\": {\"indexes\":[{\"location\":4,\"length\":1}]}}")
        #expect(host.holder.indices == [4])
        try change(host, ".range", "[3, 4]")
        #expect(host.range == NSRange(location: 3, length: 4))
        try change(
            host, ".interval", "{\"start\": \"2026-01-01T00:00:00Z\", \"duration\": 2.5}")
        #expect(host.interval.duration == 2.5)
    }

    @Test("an action's argument does not end the process either")
    func arguments() throws {
        let bad = try Literal(
            parsing: "{\"indexes\":[{\"location\":1,\"length\":-5}]}"
        ).jsonValue
        var cursor = try ArgumentCursor([bad], of: "mark", expecting: ["IndexSet"])
        #expect(throws: CommandFailure.self) { try cursor.next(IndexSet.self) }
    }

    @Test("what takes any parts ends the process at none of them")
    func anyParts() throws {
        func check<Value: Codable>(_ sample: Value) throws -> Int {
            let (json, type) = (try JSONValueEncoder.encode(sample), Value.self)
            var made = 0
            for value in changed(json) {
                // Not described: a Date's own `description` ends the process for one in 3e300 years.
                guard let value = try? JSONValueDecoder.decode(type, given: value) else { continue }
                made += 1
                _ = try? JSONValueEncoder.encode(value)
            }
            return made
        }
        var parts = DateComponents(year: 2001, month: 2, day: 3, hour: 4, nanosecond: 5)
        parts.weekday = 6
        parts.timeZone = TimeZone(secondsFromGMT: 3600)
        var person = PersonNameComponents()
        (person.givenName, person.nickname) = ("A", "B")
        let samples: [any Codable] = [
            Date(timeIntervalSince1970: 1), UUID(), Data([1, 2]), IndexPath(indexes: [1, 2, 3]),
            parts, person, CGPoint(x: 1, y: 2), CGSize(width: 1, height: 2),
            CGRect(x: 1, y: 2, width: 3, height: 4), AffineTransform(scale: 2),
            Locale(identifier: "de_DE"), Measurement(value: 1, unit: UnitLength.meters),
            IndexSet([1, 2, 7]), DateInterval(start: Date(timeIntervalSince1970: 0), duration: 1),
            NSRange(location: 1, length: 2), 1..<5, 1...5, SIMD4<Float>(1, 2, 3, 4),
            Duration.seconds(1), ["a": [1]],
        ]
        for sample in samples {
            let made = try check(sample)
            #expect(made > 0, "\(Swift.type(of: sample))")
        }
    }

    /// The value, and with each of its parts replaced by what is at the edge of it, or none.
    private func changed(_ value: JSONValue) -> [JSONValue] {
        let edges: [JSONValue] = [
            .null, .bool(true), .integer(-1), .integer(0), .integer(.max), .integer(.min),
            .unsigned(.max), .double(1e308), .double(-0.5), .double(.nan), .string(""),
            .string("\u{0}x"), .string("GMT+99"), .array([]), .object([]),
        ]
        let inside: [JSONValue] =
            switch value {
            case .array(let elements):
                elements.indices.flatMap { index in
                    changed(elements[index]).map { part in
                        var elements = elements
                        elements[index] = part
                        return .array(elements)
                    }
                }
            case .object(let members):
                members.indices.flatMap { index in
                    changed(members[index].value).map { part in
                        var members = members
                        members[index] = JSONMember(members[index].key, part)
                        return .object(members)
                    }
                }
            default: []
            }
        return [value] + edges + inside
    }

    @Test("a preview says whose init(from:) it has run")
    func preview() throws {
        func note(_ path: String, _ text: String) throws -> String? {
            let edit = ValueEdit.assign(TypedText(text))
            return try turns(of: edit) {
                try changingWriter().preview(
                    .object(host), rootName: "host",
                    path: try ValuePath(parsing: "host" + path).components, edit
                ).note
            }
        }
        #expect(
            try note(".renamed", "{\"n\": \"x\"}")
                == "the `init(from:)` of Renamed ran for this preview")
        #expect(try note(".parts", "(year: 3)") == nil)
        #expect(host.renamed.name == "n")
    }
}
#endif
