import Testing

@testable import TelltaleProtocol

@Suite("Values whose members are listed once")
struct MemberCodedTests {
    private static let node = ValueNode(
        label: "items", type: "[Photo]", kind: .array, count: 2,
        children: [
            ValueNode(
                label: "[0]", type: "Photo", kind: .object, address: "0x10", handle: 7,
                children: [ValueNode(label: "title", type: "String", kind: .string, text: "\"a\"")],
                note: "weak")
        ], cut: ValueNode.Cut(reason: "elements", omitted: 1))
    private static let shown = ValueAnswer(
        path: "photos", value: node, owner: "none", read: "in place")
    private static let hello = filled(HelloAnswer()) {
        $0.protocolVersion = 1
        $0.agent = "0.1"
        $0.name = "svc"
        $0.pid = 42
        $0.startTicks = .max
        $0.uptimeSeconds = 1.5
        $0.buildID = "ab"
        $0.uid = .max
        $0.mode = "read-only"
        $0.residentBytes = 1
    }

    @Test("what is nil is left out, and all else stands in the order of the list")
    func written() throws {
        #expect(
            try Self.shown.json().serialized() == """
                {"path":"photos","value":{"label":"items","type":"[Photo]","kind":"array","count":2,\
                "children":[{"label":"[0]","type":"Photo","kind":"object","address":"0x10","handle":7,\
                "children":[{"label":"title","type":"String","kind":"string","text":"\\"a\\"",\
                "children":[]}],"note":"weak"}],"cut":{"reason":"elements","omitted":1}},\
                "owner":"none","read":"in place"}
                """)
        #expect(
            try Self.hello.json().serialized() == """
                {"protocolVersion":1,"agent":"0.1","name":"svc","pid":42,\
                "startTicks":18446744073709551615,"uptimeSeconds":1.5,"buildID":"ab",\
                "uid":4294967295,"mode":"read-only","residentBytes":1}
                """)
    }

    @Test("what is written is read again, with any coder")
    func readAgain() throws {
        #expect(try ValueAnswer(json: Self.shown.json()) == Self.shown)
        #expect(try HelloAnswer(json: Self.hello.json()) == Self.hello)
        let nested = try JSONValueEncoder.encode([Self.shown])
        #expect(try nested == .array([Self.shown.json()]))
        #expect(try JSONValueDecoder.decode([ValueAnswer].self, from: nested) == [Self.shown])
    }

    @Test("a failure names the place, also within what Codable reads")
    func places() throws {
        let bad = JSONValue.object([
            JSONMember("path", .string("p")),
            JSONMember(
                "value",
                .object([
                    JSONMember("type", .string("T")), JSONMember("kind", .string("array")),
                    JSONMember("children", .array([.object([JSONMember("type", .integer(1))])])),
                ])),
        ])
        func reason(_ body: () throws -> Void) -> String {
            do {
                try body()
                return "read"
            } catch {
                return CommandFailure(decoding: error, "it").message
            }
        }
        #expect(
            reason { _ = try ValueAnswer(json: bad) }
                == "it, value.children[0].type: expected a String, found a number")
        #expect(
            reason { _ = try JSONValueDecoder.decode([ValueAnswer].self, from: .array([bad])) }
                == "it, [0].value.children[0].type: expected a String, found a number")
        #expect(
            reason { _ = try ValueAnswer(json: .object([])) } == "it, path: it is missing")
        #expect(reason { _ = try ValueAnswer(json: .null) } == "it: expected an object, found null")
    }

    @Test("a number that JSON can't say is refused")
    func noNumber() {
        var hello = Self.hello
        hello.uptimeSeconds = .nan
        #expect(throws: EncodingError.self) { try hello.json() }
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

    @Test("whatever is read of what was changed is written and read as the same")
    func mutated() throws {
        func check<Value: MemberCoded>(_ value: Value) throws -> (read: Int, refused: Int) {
            var counts = (read: 0, refused: 0)
            for json in Self.mutations(of: try value.json()) {
                if let read = try? Value(json: json) {
                    counts.read += 1
                    #expect(try Value(json: read.json()) == read, "\(json)")
                } else {
                    counts.refused += 1
                }
            }
            return counts
        }
        for counts in [try check(Self.shown), try check(Self.hello)] {
            #expect(counts.read >= 5 && counts.refused > 50, "\(counts)")
        }
    }
}
