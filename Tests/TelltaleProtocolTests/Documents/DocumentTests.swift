import TelltaleTestSupport
import Testing

@testable import TelltaleProtocol

@Suite("Answers for programs")
struct AnswerDocumentTests {
    private func document(_ node: ValueNode) throws -> JSONValue {
        try PlainAnswer(ValueAnswer(path: "p", value: node, owner: "none", read: "in place"))
            .document()
    }

    private func value(_ node: ValueNode) throws -> String {
        try #require(document(node)["value"]).serialized()
    }

    private func leaf(
        _ text: String, _ type: String, _ kind: ValueNode.Kind = .scalar, label: String? = nil
    ) -> ValueNode { ValueNode(label: label, type: type, kind: kind, text: text) }

    @Test(
        "what JSON can say is said in JSON",
        arguments: [
            ("12", "Int", "12"), ("-7", "Int8", "-7"), ("true", "Bool", "true"),
            ("18446744073709551615", "UInt64", "18446744073709551615"), ("2.5", "Double", "2.5"),
            ("1e+100", "Double", "1e+100"), ("\"x\"", "URL", "\"x\""),
            // Numbers that would be rounded or have no JSON form, and values that are not numbers.
            (
                "170141183460469231731687303715884105727", "Int128",
                #"{"$type":"Int128","$text":"170141183460469231731687303715884105727"}"#
            ),
            ("inf", "Double", #"{"$type":"Double","$text":"inf"}"#),
            ("nan", "Double", #"{"$type":"Double","$text":"nan"}"#),
            ("0x7f00", "OpaquePointer", #"{"$type":"OpaquePointer","$text":"0x7f00"}"#),
            ("3.5 m", "Measurement", #"{"$type":"Measurement","$text":"3.5 m"}"#),
            ("2.449 seconds", "Duration", #"{"$type":"Duration","$text":"2.449 seconds"}"#),
        ])
    func scalars(_ text: String, _ type: String, _ json: String) throws {
        #expect(try value(leaf(text, type)) == json)
    }

    @Test("a string is what it says, and not how Swift writes it")
    func strings() throws {
        let text = #""日本語 \u{1B}[31m \"q\"""#
        #expect(try value(leaf(text, "String", .string)) == #""日本語 \u001b[31m \"q\"""#)
        #expect(try value(leaf("\"\"", "String", .string)) == "\"\"")
        #expect(try value(ValueNode(type: "String?", kind: .none, text: "nil")) == "null")
    }

    @Test("collections, objects, cases and what is left out")
    func trees() throws {
        let one = leaf("1", "Int", label: "[0]")
        var list = ValueNode(type: "[Int]", kind: .array, count: 3, children: [one])
        list.cut = ValueNode.Cut(reason: "elements", omitted: 2)
        list.label = "sizes"
        #expect(try value(list) == "[1]")
        let state = ValueNode(
            label: "state", type: "State", kind: .enumeration, text: ".failed",
            children: [leaf("3", "Int", label: "code"), leaf("4", "Int", label: ".1")])
        let names = ValueNode(
            label: "names", type: "[String: Int]", kind: .dictionary, count: 1,
            children: [leaf("2", "Int", label: "[\"a b\"]")])
        let numbers = ValueNode(
            label: "numbers", type: "[Int: Int]", kind: .dictionary, count: 1,
            children: [leaf("2", "Int", label: "[7]")])
        let pair = ValueNode(
            label: "pair", type: "(Int, Int)", kind: .tuple,
            children: [leaf("1", "Int", label: ".0"), leaf("2", "Int", label: ".1")])
        let next = ValueNode(label: "next", type: "Photo", kind: .reference, handle: 1)
        let secret = ValueNode(label: "token", type: "String", kind: .masked, text: "<masked>")
        let photo = ValueNode(
            type: "Photo", kind: .object, address: "0x10", handle: 1,
            children: [list, state, names, numbers, pair, next, secret])
        let document = try document(photo)
        #expect(
            document["value"]?.serialized()
                == #"{"$type":"Photo","$handle":1,"$address":"0x10","sizes":[1],"#
                + #""state":{"$type":"State","$case":"failed","code":3,"_1":4},"names":{"a b":2},"#
                + #""numbers":{"$type":"[Int: Int]","$entries":[[7,2]]},"pair":[1,2],"#
                + #""next":{"$ref":1},"token":{"$masked":true}}"#)
        #expect(
            document["cuts"]?.serialized()
                == #"[{"at":["sizes"],"reason":"elements","omitted":2}]"#)
        #expect(document["version"] == .integer(1) && document["type"] == .string("Photo"))
        // A key that could be taken for a tag is none.
        let odd = ValueNode(
            type: "[String: Int]", kind: .dictionary, count: 1,
            children: [leaf("2", "Int", label: "[\"$ref\"]")])
        #expect(try value(odd) == #"{"$type":"[String: Int]","$entries":[["$ref",2]]}"#)
    }

    @Test("what was changed has its values as JSON, and a call its arguments as they were typed")
    func changes() throws {
        func change(_ old: String?, _ new: String) throws -> String {
            try ChangeRecord(
                number: 1, path: "p", old: old, new: new, result: "done",
                by: Peer(uid: 1, pid: 2, program: "t"), time: "t"
            ).document().serialized()
        }
        #expect(try change("nil", "\"W\"").contains(#""old":null,"new":"W""#))
        let both = #""old":{"$case":"done"},"new":[1,2.5]"#
        #expect(try change(".done", "[1, 2.5]").contains(both))
        #expect(
            try change("Photo(id: 1)", "3").contains(#""old":{"$text":"Photo(id: 1)"},"new":3"#))
        #expect(try change(nil, "\"x\", 1").contains(#""new":"\"x\", 1""#))
    }

    @Test(
        "every answer is as the published schema says",
        arguments: 0..<(SampleAnswers.all + SampleAnswers.found).count)
    func schema(index: Int) throws {
        let schema = SchemaCheck(
            try JSONParser.parse(Array(RepositoryFile.text("Docs/telltale.schema.json").utf8)))
        let answer = (SampleAnswers.all + SampleAnswers.found)[index]
        let problems = schema.problems(of: try answer.document())
        #expect(problems.isEmpty, "\(answer.kind): \(problems)")
    }
}
