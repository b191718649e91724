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

    @Test("up to three ranges of numbers are named, without the numbers between them")
    func ranges() {
        func keys(_ sockets: [Int32]) -> [String] {
            InfoFacts.rows(of: sockets.map { (number: $0, text: "socket") }).map(\.row.key)
        }
        #expect(keys([3, 4, 5, 6]) == ["3…6"])
        #expect(keys([3, 4, 5, 6, 7, 8, 9, 11, 12, 13]) == ["3…9,11…13"])
        #expect(keys([3, 4, 6, 8, 9]) == ["3…4,6,8…9"])
        #expect(keys([3, 5, 7, 9]) == ["3…9"])
    }
}
