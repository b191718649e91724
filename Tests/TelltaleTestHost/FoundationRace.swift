import Dispatch
import Foundation
import TelltaleAgent

/// Values of Foundation's that one thread changes without pause and without their owner, and
/// references to objects that are freed: a reader may find anything.
final class FoundationRace: @unchecked Sendable {
    final class Holder {
        var data: Data
        var url: URL
        var part: Data
        init(_ round: Int) {
            let count = round % 3 == 0 ? 9 : 300
            data = Data(repeating: UInt8(truncatingIfNeeded: round), count: count)
            url = URL(fileURLWithPath: "/tmp/some/where/\(round)")
            part = data.dropFirst(4)
        }
    }

    var data = Data()
    var part: Data?
    var url: URL?
    var relative: [URL] = []
    var when = Date()
    var identifier = UUID()
    var price: Decimal = 1
    var table: [String: Data] = [:]
    var any: Any = 1
    unowned(unsafe) var freed: Holder

    init() {
        let holder = Holder(1)
        freed = holder
    }

    /// Registers them, once on a queue that the writer doesn't use and once without an owner.
    func register() {
        Telltale.register(self, as: "race", on: DispatchQueue(label: "race.unused"))
        Telltale.register(self, as: "loose")
    }

    /// A round of changes.
    func turn(_ round: Int) {
        let count = [0, 3, 20, 5000][round % 4]
        let bytes = Data(repeating: UInt8(truncatingIfNeeded: round), count: count)
        data = bytes
        part = round % 5 == 0 ? nil : bytes.dropFirst(2)
        url = round % 7 == 0 ? nil : URL(string: "https://example.com/\(round)?a=b")
        relative = (0..<3).compactMap { URL(string: "x\($0)", relativeTo: url) }
        when = Date(timeIntervalSince1970: Double(round))
        identifier = UUID()
        price = Decimal(round) / 7
        table["key \(round % 20)"] = bytes
        if round % 100 == 0 { table = [:] }
        any = round % 2 == 0 ? bytes as Any : round as Any
        // Freed at once.
        let holder = Holder(round)
        freed = holder
    }
}
