#if TELLTALE_AGENT
import Foundation
import TelltaleFoundation
import TelltaleProtocol
import Testing

@testable import TelltaleAgent

@Suite("Questions about Foundation's values")
struct QueryDateTests {
    init() { Telltale.useFoundation() }

    @Test(
        "dates have the order of their moments",
        arguments: [
            ("x.dates where self > \"2027-01-15T08:00:00Z\" count", "1"),
            ("x.dates where self >= \"2027-01-15\" count", "2"),
            ("x.dates where self == \"2027-01-15T09:00:00+01:00\" count", "1"),
            ("x.maybe where self < \"2027-01-15T08:00:00.5Z\" count", "1"),
            ("x.byDate where key > \"2027-01-15T08:00:00Z\" count", "1"),
            ("x.dates max", "\"2027-01-15T08:00:00.250Z\""),
        ])
    func dates(_ text: String, _ result: String) throws {
        for plans in [true, false] {
            #expect(try ValueReader.usual().ask(Dated(), text, plans: plans).text == result)
        }
    }

    @Test("measurements have none, and are not sorted as texts")
    func measurements() throws {
        let dated = Dated()
        for text in ["x.lengths sorted by self", "x.lengths where self > \"10.0 m\""] {
            let failure = #expect(throws: CommandFailure.self) {
                try ValueReader.usual().ask(dated, text)
            }
            #expect(failure?.message.hasSuffix("have no order here") == true)
        }
        #expect(
            try ValueReader.usual().ask(dated, "x.lengths where self == \"9.0 m\" count").text
                == "1")
    }

    private final class Dated {
        let dates = [1_800_000_000.25, 1_800_000_000, 5].map(Date.init(timeIntervalSince1970:))
        let maybe: [Date?] = [Date(timeIntervalSince1970: 1_800_000_000), nil]
        let byDate = [1_800_000_000.25, 5].reduce(into: [Date: Int]()) {
            $0[Date(timeIntervalSince1970: $1)] = 1
        }
        let lengths = [10.0, 9].map { Measurement(value: $0, unit: UnitLength.meters) }
    }
}
#endif
