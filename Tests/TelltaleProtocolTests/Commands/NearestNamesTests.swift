import Testing

@testable import TelltaleProtocol

@Suite("The nearest names")
struct NearestNamesTests {
    private let names = ["status", "show", "set", "dump", "queues", "quit", "undo"]

    @Test(
        "typing errors and beginnings are near, nearest first",
        arguments: [
            ("stauts", ["status"]), ("shw", ["show"]), ("dmup", ["dump"]), ("STATUS", ["status"]),
            ("stat", ["status"]), ("queue", ["queues"]), ("qu", ["quit", "queues"]),
            ("udno", ["undo"]),
        ])
    func near(word: String, found: [String]) {
        #expect(NearestNames.of(word, among: names) == found)
    }

    @Test("other words are not", arguments: ["", "photos", "x", "library", "s"])
    func far(word: String) { #expect(NearestNames.of(word, among: names).isEmpty) }

    @Test("a word of a megabyte costs nothing, and the limit holds")
    func bounds() {
        #expect(NearestNames.of(String(repeating: "a", count: 1 << 20), among: names).isEmpty)
        #expect(NearestNames.of("aa", among: ["aa1", "aa2", "aa3", "aa4"], limit: 2).count == 2)
        #expect(NearestNames.of("aa", among: ["aa"], limit: -1).isEmpty)
    }
}
