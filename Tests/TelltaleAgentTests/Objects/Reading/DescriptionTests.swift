#if TELLTALE_AGENT
import Testing

@testable import TelltaleAgent

/// The reports on a value's own description.
struct DescriptionTests {
    @Test("a long one is cut, and the cut is said")
    func cut() {
        #expect(PathReading.start(of: "a photo") == "a photo")
        let whole = String(repeating: "é", count: 4000)
        #expect(PathReading.start(of: whole) == whole)
        let cut = PathReading.start(of: whole + "x")
        #expect(cut == whole + "\n… (4,001 characters, the first 4,000 shown)")
    }
}
#endif
