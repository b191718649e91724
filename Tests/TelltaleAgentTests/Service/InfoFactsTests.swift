import TelltaleProtocol
import Testing

@testable import TelltaleAgent

/// The rows of `info --files`.
struct InfoFactsTests {
    @Test("four descriptors of the same thing share a row, fewer don't, and all are counted")
    func grouped() {
        let texts = ["device /dev/null", "file a", "device /dev/null", "pipe", "pipe", "pipe"]
        var descriptors = texts.enumerated().map { (number: Int32($0.offset), text: $0.element) }
        descriptors += [(7, "device /dev/null"), (9, "device /dev/null")]
        let rows = InfoFacts.rows(of: descriptors)
        #expect(
            rows.map { "\($0.row.key) \($0.row.value)" } == [
                "0…9 device /dev/null ×4", "1 file a", "3 pipe", "4 pipe", "5 pipe",
            ])
        #expect(rows.reduce(0) { $0 + $1.count } == descriptors.count)
    }
}
