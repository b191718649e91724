import Testing

@testable import TelltaleProtocol

struct AnswerDirectTests {
    private static let node = ValueNode(
        label: "items", type: "[Photo]", kind: .array, count: 2,
        children: [
            ValueNode(
                label: "[0]", type: "Photo", kind: .object, address: "0x10", handle: 7,
                children: [ValueNode(label: "title", type: "String", kind: .string, text: "\"a\"")],
                note: "weak")
        ], cut: ValueNode.Cut(reason: "elements", omitted: 1))

    private static let answers: [Answer] = [
        .hello(
            HelloAnswer(
                protocolVersion: 1, agent: "0.1", name: "svc", pid: 42, startTicks: .max,
                uptimeSeconds: 1.5, buildID: "ab", uid: .max, mode: "read-only", residentBytes: 1)),
        .value(ValueAnswer(path: "photos", value: node, owner: "none", read: "in place")),
        .plain(
            ValueAnswer(
                path: "n", value: ValueNode(type: "Int", kind: .scalar, text: "3"), owner: "actor",
                read: "on its owner")),
    ]

    @Test("what is read by hand is what Codable reads", arguments: answers)
    func agrees(answer: Answer) throws {
        #expect(Answer.direct(from: try JSONValueEncoder.encode(answer)) == answer)
    }

    @Test("what is written by hand is what Codable writes", arguments: SampleAnswers.all)
    func writesTheSame(answer: Answer) throws {
        #expect(try answer.json() == JSONValueEncoder.encode(answer))
    }

    @Test("other answers are left to Codable")
    func others() throws {
        let help = try JSONValueEncoder.encode(Answer.help(HelpAnswer(lines: ["a"])))
        #expect(Answer.direct(from: help) == nil)
    }

    // Each member at any depth left out, and replaced by a value of each other kind.
    private static func mutations(of json: JSONValue) -> [JSONValue] {
        switch json {
        case .object(let members):
            members.indices.flatMap { index -> [JSONValue] in
                var less = members
                less.remove(at: index)
                let changed = mutations(of: members[index].value).map { value in
                    var members = members
                    members[index].value = value
                    return JSONValue.object(members)
                }
                return [.object(less)] + changed
            } + replacements
        case .array(let elements):
            elements.indices.flatMap { index in
                mutations(of: elements[index]).map { value in
                    var elements = elements
                    elements[index] = value
                    return JSONValue.array(elements)
                }
            } + replacements
        default: replacements
        }
    }

    private static let replacements: [JSONValue] = [
        .null, .bool(true), .integer(-1), .integer(.max), .unsigned(.max), .double(0.5),
        .string("other"), .array([]), .array([.null]), .object([]),
    ]

    @Test(
        "whatever is not as expected is read as Codable reads it, or not at all", arguments: answers
    )
    func mutated(answer: Answer) throws {
        let mutations = Self.mutations(of: try JSONValueEncoder.encode(answer))
        #expect(mutations.count > 50)
        for json in mutations {
            guard let direct = Answer.direct(from: json) else { continue }
            let decoded = try? JSONValueDecoder.decode(Answer.self, from: json)
            #expect(direct == decoded, "\(json)")
        }
    }
}
