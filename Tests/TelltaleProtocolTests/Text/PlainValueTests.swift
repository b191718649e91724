import Testing

@testable import TelltaleProtocol

@Suite("A value alone, as it would be typed")
struct PlainValueTests {
    private func rendered(_ node: ValueNode) -> String {
        PlainAnswer(ValueAnswer(path: "x", value: node, owner: "none", read: "in place"))
            .rendered()
    }

    private func number(_ text: String, label: String? = nil) -> ValueNode {
        ValueNode(label: label, type: "Int", kind: .scalar, text: text)
    }

    @Test("leaves are their literals")
    func leaves() {
        #expect(rendered(number("12")) == "12")
        #expect(rendered(ValueNode(type: "String", kind: .string, text: "\"x\"")) == "\"x\"")
        #expect(rendered(ValueNode(type: "String?", kind: .none)) == "nil")
        #expect(rendered(ValueNode(type: "S", kind: .enumeration, text: ".done")) == ".done")
        #expect(rendered(ValueNode(type: "String", kind: .masked)) == "<masked>")
        #expect(rendered(ValueNode(type: "Photo", kind: .reference, handle: 7)) == "#7")
        #expect(rendered(ValueNode(type: "() -> ()", kind: .opaque)) == "() -> ()")
        #expect(
            rendered(ValueNode(type: "Photo", kind: .unavailable, note: "gone"))
                == "<unavailable: gone>")
    }

    @Test("collections are their literals")
    func collections() {
        let two = [number("1", label: "[0]"), number("2", label: "[1]")]
        #expect(rendered(ValueNode(type: "[Int]", kind: .array, children: two)) == "[1, 2]")
        #expect(rendered(ValueNode(type: "Set<Int>", kind: .set, children: two)) == "[1, 2]")
        #expect(rendered(ValueNode(type: "[Int]", kind: .array)) == "[]")
        #expect(rendered(ValueNode(type: "[Int: Int]", kind: .dictionary)) == "[:]")
        let entries = [number("1", label: "[\"a\"]"), number("2", label: "[3]")]
        #expect(
            rendered(ValueNode(type: "[String: Int]", kind: .dictionary, children: entries))
                == "[\"a\": 1, 3: 2]")
    }

    @Test("what has named parts is spelled like its initializer; positions are no labels")
    func namedParts() {
        let title = ValueNode(label: "title", type: "String", kind: .string, text: "\"x\"")
        #expect(
            rendered(
                ValueNode(
                    type: "Photo", kind: .object, children: [title], cut: .init(reason: "depth")))
                == "Photo(title: \"x\", …)")
        #expect(rendered(ValueNode(type: "Empty", kind: .structure)) == "Empty()")
        #expect(
            rendered(
                ValueNode(
                    type: "(Int, y: Int)", kind: .tuple,
                    children: [number("1", label: ".0"), number("2", label: "y")]))
                == "(1, y: 2)")
        #expect(
            rendered(
                ValueNode(
                    type: "R", kind: .enumeration, text: ".failure",
                    children: [number("3", label: "code"), number("4", label: ".1")]))
                == ".failure(code: 3, 4)")
    }

    @Test("a cut is said")
    func cuts() {
        #expect(
            rendered(
                ValueNode(
                    type: "[Int]", kind: .array, count: 9_989, children: [number("1")],
                    cut: .init(reason: "elements", omitted: 9_988)))
                == "[1, … 9,988 more]")
        #expect(
            rendered(ValueNode(type: "[Int]", kind: .array, cut: .init(reason: "deadline")))
                == "[…deadline]")
        #expect(
            rendered(
                ValueNode(
                    type: "String", kind: .string, text: "\"abc\"", cut: .init(reason: "bytes")))
                == "\"abc\" …bytes")
    }

    @Test("control characters of the host are escaped")
    func escapes() {
        let node = ValueNode(
            type: "A\u{7}", kind: .structure,
            children: [
                ValueNode(label: "b\r", type: "String", kind: .string, text: "\"\u{2028}\"")
            ])
        #expect(rendered(node) == "A\\u{7}(b\\r: \"\\u{2028}\")")
    }

    @Test("the depth of a tree is the sender's choice and costs no stack")
    func deepTree() {
        var node = number("1")
        for _ in 0..<1_000 { node = ValueNode(type: "[A]", kind: .array, children: [node]) }
        let brackets = 1_000
        #expect(
            rendered(node) == String(repeating: "[", count: brackets) + "1"
                + String(repeating: "]", count: brackets))
    }
}
