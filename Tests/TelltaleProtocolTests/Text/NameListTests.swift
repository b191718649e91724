import TelltaleProtocol
import Testing

/// Names in a sentence.
struct NameListTests {
    @Test("all of them, or the first and how many others there are")
    func listed() {
        #expect([String]().listed(3) == "")
        #expect(["a", "b", "c"].listed(3) == "a, b, c")
        #expect(["a", "b", "c", "d"].listed(3) == "a, b, c and 1 more")
        #expect((0..<2000).map { "\($0)" }.listed(2) == "0, 1 and 1,998 more")
    }
}
