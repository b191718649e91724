import Testing

@testable import TelltaleProtocol

struct ArgumentTextTests {
    @Test("arguments are taken apart at commas outside of texts and brackets")
    func parts() throws {
        let typed = try ArgumentText.all(
            of: #" 1, named: "a, (b", [1, 2], c: .made(x: 1, y: [2]), photos.items["a]"], #7 , nil"#
        )
        #expect(
            typed.map(\.text) == [
                "1", "\"a, (b\"", "[1, 2]", ".made(x: 1, y: [2])", "photos.items[\"a]\"]", "#7",
                "nil",
            ])
        #expect(typed.map(\.label) == [nil, "named", nil, "c", nil, nil, nil])
        #expect(try ArgumentText.all(of: "  ").isEmpty)
    }

    @Test(
        "what has no end, or closes nothing, is refused",
        arguments: ["1)", "(1", "\"a", "[1)", "1,,2", "a:"])
    func refused(_ text: String) {
        #expect(throws: CommandFailure.self) { try ArgumentText.all(of: text) }
    }
}
