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
        #expect(try ValueReader.usual().ask(Dated(), text).text == result)
    }

    @Test(
        "decimals are added up, divided, compared and sorted as decimals",
        arguments: [
            ("x.prices sum", "0.6"), ("x.prices max", "0.3"), ("x.prices.sum", "0.6"),
            ("x.totals sum", "12345678901234567890.13"),
            ("(x.prices where self == 0.1).first", "0.1"),
            ("x.orders sum price", "0.3"), ("x.orders where price < 0.2 sum price", "0.1"),
            ("(x.totals sorted by self descending).first", "12345678901234567890.12"),
            ("x.byTitle.sum", "0.3"), ("x.wholes sum", "7"),
        ])
    func decimals(_ text: String, _ result: String) throws {
        let node = try ValueReader.usual().ask(Priced(), text)
        #expect(node.text == result && node.type == "Decimal", "\(text): \(node)")
    }

    private final class Priced {
        struct Order { var price: Decimal? }
        let prices = ["0.1", "0.2", "0.3"].compactMap { Decimal(string: $0) }
        let totals = ["0.01", "12345678901234567890.12"].compactMap { Decimal(string: $0) }
        let orders = ["0.1", "0.2"].map { Order(price: Decimal(string: $0)) }
        let byTitle = ["a": Decimal(string: "0.1"), "b": Decimal(string: "0.2")]
        let wholes: [Decimal] = [3, 4]
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
