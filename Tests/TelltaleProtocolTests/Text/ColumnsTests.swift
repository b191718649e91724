import Testing

@testable import TelltaleProtocol

struct ColumnsTests {
    @Test(
        "wide characters take two columns, marks and colour none",
        arguments: [
            ("plain", 5), ("日本語", 6), ("e\u{301}", 1), ("\u{1B}[31mred\u{1B}[0m", 3),
            ("\u{1B}[1;32mmm\u{1B}[0m m", 4), ("", 0),
        ])
    func columns(_ text: String, _ count: Int) {
        #expect(text.columnsWithoutColor == count)
    }
}
