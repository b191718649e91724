import TelltaleTestSupport
import Testing

@testable import TelltaleProtocol

/// Every kind of answer, with something in each member that its schema has: what is missing, cut or to be known
/// of it stands in the text as in the JSON.
@Suite("What JSON says is missing, the text says too")
struct GapsInTextTests {
    /// Members that say so.
    private static let gaps: Set<String> = [
        "note", "notes", "gap", "gaps", "omitted", "dropped", "hidden", "missing", "left", "older",
        "failure", "problems", "isCut", "isUncertain", "isPartial",
    ]

    /// Members that make another form of the answer, which has none of the others.
    fileprivate static let forms: [String: Set<String>] = [
        "call": ["changed"], "heap": ["isMark"], "queue": ["queue.isMoving"],
        "queues": ["queues.[].isMoving"], "control": ["values.[].value"],
        "plain": ["table", "matches"], "value": ["table", "matches"],
    ]

    /// Answers whose text shows no frames, and so no reason for missing ones.
    private static let withoutFrames: Set<String> = ["notIt", "longest", "busy", "first"]

    static let kinds = AnyAnswer.kinds.sorted()

    @Test("in every kind of answer", arguments: kinds)
    func gaps(kind: String) throws {
        var maker = try AnswerMaker()
        let result = try maker.answer(kind)
        let text = try Self.text(of: result)
        for gap in maker.made where Self.gaps.contains(gap.key) {
            let isFrameless = kind == "doctor" || !Self.withoutFrames.isDisjoint(with: gap.place)
            if gap.key == "gap", isFrameless { continue }
            // A truth is said by a word, which changes the text.
            let isSaid: Bool
            if let sentinel = gap.sentinel {
                isSaid = text.contains(sentinel)
            } else {
                isSaid = try Self.text(of: Self.changed(result, at: gap.place)) != text
            }
            #expect(isSaid, "\(gap.place) is \(gap.sentinel ?? "true"), and not in:\n\(text)")
        }
    }

    private static func text(of result: JSONValue) throws -> String {
        let answer = try AnyAnswer.read(result)
        return ([answer.rendered()] + answer.remarks).joined(separator: "\n")
    }

    /// The same with a truth the other way round.
    private static func changed(_ value: JSONValue, at place: [String]) -> JSONValue {
        guard let step = place.first else { return .bool(false) }
        let rest = Array(place.dropFirst())
        switch value {
        case .object(let members):
            return .object(
                members.map {
                    $0.key == step ? JSONMember($0.key, changed($0.value, at: rest)) : $0
                })
        case .array(let elements) where step == "[]":
            return .array(elements.map { changed($0, at: rest) })
        default: return value
        }
    }
}

/// Makes an answer of a kind as it goes over the wire, by the published schema: with all its members.
private struct AnswerMaker {
    struct Member {
        let key: String
        let place: [String]
        /// The text or the number in it; nil of a truth.
        let sentinel: String?
    }

    private(set) var made: [Member] = []
    private let schema: JSONValue
    private var number = 100
    /// The members that are left out.
    private var left: Set<String> = []

    init() throws {
        schema = try JSONParser.parse(Array(RepositoryFile.text("Docs/telltale.schema.json").utf8))
    }

    mutating func answer(_ kind: String) throws -> JSONValue {
        let part = try #require(schema["$defs"]?["answer-\(kind)"])
        left = GapsInTextTests.forms[kind] ?? []
        guard case .object(let members) = value(of: part, at: [], depth: 0) else { return .null }
        return .object(
            [JSONMember("kind", .string(kind))]
                + members.filter { !["kind", "version"].contains($0.key) })
    }

    private mutating func value(of part: JSONValue, at place: [String], depth: Int) -> JSONValue {
        if case .string(let name)? = part["$ref"] {
            let name = String(name.dropFirst("#/$defs/".count))
            if name == "Value" { return node(at: place) }
            return depth < 12
                ? value(of: schema["$defs"]?[name] ?? .null, at: place, depth: depth + 1) : .null
        }
        if let constant = part["const"] { return constant }
        if case .array(let examples)? = part["examples"] { return examples[0] }
        if case .array(let parts)? = part["anyOf"] {
            return value(of: parts[0], at: place, depth: depth)
        }
        switch part["type"] {
        case .string("object"): return object(part, at: place, depth: depth)
        case .string("array"):
            return .array([value(of: part["items"] ?? .null, at: place + ["[]"], depth: depth)])
        case .string("string"): return .string(sentinel(at: place))
        case .string("integer"): return .integer(Int64(sentinel(at: place)) ?? 0)
        case .string("number"): return .double(1.5)
        case .string("boolean"):
            made.append(Member(key: key(of: place), place: place, sentinel: nil))
            return .bool(true)
        default: return .null
        }
    }

    private mutating func object(_ part: JSONValue, at place: [String], depth: Int) -> JSONValue {
        guard case .object(let properties)? = part["properties"] else { return .object([]) }
        return .object(
            properties.compactMap { property in
                if left.contains((place + [property.key]).joined(separator: ".")) { return nil }
                // Remarks that a document has beside its value stand in the value's nodes on the wire.
                if ["cuts", "notes"].contains(property.key),
                    properties.contains(where: { $0.key == "value" })
                {
                    return nil
                }
                // The values of a change are texts on the wire.
                if ["old", "new", "from", "to"].contains(property.key) {
                    return JSONMember(property.key, .string("1"))
                }
                let value = value(of: property.value, at: place + [property.key], depth: depth)
                return value == .null ? nil : JSONMember(property.key, value)
            })
    }

    private mutating func node(at place: [String]) -> JSONValue {
        let note = sentinel(at: place + ["note"])
        let omitted = sentinel(at: place + ["cut", "omitted"])
        return .object([
            JSONMember("type", .string("[Int]")), JSONMember("kind", .string("array")),
            JSONMember("count", .integer(12)), JSONMember("note", .string(note)),
            JSONMember(
                "cut",
                .object([
                    JSONMember("reason", .string("deadline")),
                    JSONMember("omitted", .integer(Int64(omitted) ?? 0)),
                ])),
            JSONMember("children", .array([])),
        ])
    }

    /// A number that stands nowhere else, as digits or in a word by what it is for.
    private mutating func sentinel(at place: [String]) -> String {
        number += 1
        made.append(Member(key: key(of: place), place: place, sentinel: "\(number)"))
        return "\(number)"
    }

    private func key(of place: [String]) -> String { place.last { $0 != "[]" } ?? "" }
}
