import Foundation
import TelltaleTestSupport
import Testing

/// Growth that is too slow for the time that `doctor` watches, and that the agent's own samples show.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DoctorHistoryTests {
    private static func grown(_ host: ShapeHost) throws -> String {
        try host.telltale(["--timeout", "30s"], ["doctor", "--for", "100ms"]).text
    }

    @Test("a class that grows slowly is named, with its holder")
    func slowLeak() throws {
        let host = try ShapeHost("case-slow-leak", environment: ["TELLTALE_HISTORY": "200"])
        var text = ""
        let line =
            #"^GROWS +(SessionStore\.)?Session \+[\d,]+/min.*, held by SessionStore\.sessions"#
        try waitUntil("the class is named:\n\(text)", seconds: 90) {
            text = try Self.grown(host)
            return text.split(separator: "\n").contains {
                $0.range(of: line, options: .regularExpression) != nil
            }
        }
    }

    @Test("without samples, as by default in the first minutes, a slow growth is not seen")
    func off() throws {
        let host = try ShapeHost("case-slow-leak", environment: ["TELLTALE_HISTORY": "0"])
        let rows = try host.telltale([], ["info"]).text
        #expect(rows.range(of: #"history +off"#, options: .regularExpression) != nil, "\(rows)")
        #expect(try !Self.grown(host).contains("GROWS"))
    }

    @Test("the samples are counted in info, and have a bound")
    func figures() throws {
        let host = try ShapeHost("worker-pool-idle", environment: ["TELLTALE_HISTORY": "100"])
        let row = #"history +60 samples, (1[0-9]|2[0-9]|30) counts of the heap.*, [0-9.]+ KiB"#
        var text = ""
        try waitUntil("the samples reach their bound:\n\(text)", seconds: 90) {
            text = try host.telltale([], ["info"]).text
            return text.range(of: row, options: .regularExpression) != nil
        }
        // A service that is well has no growth in them.
        #expect(try !Self.grown(host).contains("GROWS"))
    }
}
