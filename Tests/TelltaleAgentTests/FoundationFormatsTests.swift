#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import Foundation
    import Testing
    import TelltaleFoundation
    import TelltaleAgentProtocol

    @testable import TelltaleAgent

    @Suite("Foundation's values are texts")
    struct FoundationFormatsTests {
        final class Host {
            var date = Date(timeIntervalSince1970: 0)
            var url: URL?
            var id = UUID()
            var data = Data()
            var price: Decimal = 1
            var byID: [UUID: Int] = [:]
        }
        let host = Host()

        init() { Telltale.useFoundation() }

        private func text(_ value: some Any, bytes: Int = 1000) -> ValueNode? {
            ValueFormats.format(for: type(of: value))?.node(
                of: value, label: nil, typeName: "T", bytes: bytes, masking: { _, _ in nil })
        }

        @Test("shown as they are typed")
        func shown() throws {
            #expect(text(Date(timeIntervalSince1970: 0))?.text == "\"1970-01-01T00:00:00Z\"")
            #expect(
                text(Date(timeIntervalSince1970: 1.118))?.text == "\"1970-01-01T00:00:01.118Z\"")
            #expect(
                text(try #require(URL(string: "https://a.b/c?d#e")))?.text
                    == "\"https://a.b/c?d#e\"")
            #expect(text(Data([1, 2, 255]))?.text == "\"AQL/\"")
            #expect(text(Data([1, 2, 255]))?.note == "3 bytes")
            #expect(text(Data(count: 1000), bytes: 8)?.note == "1000 bytes, the first 6 shown")
            #expect(text(Decimal(string: "12.50") ?? 0)?.text == "12.5")
            #expect(text(Decimal(string: "12.50") ?? 0)?.kind == .scalar)
            #expect(text(1)?.text == nil)
        }

        @Test("set as they are shown")
        func set() throws {
            try change(host, ".date", "\"2026-11-21T03:12:45.118Z\"")
            #expect(abs(host.date.timeIntervalSince1970 - 1_795_230_765.118) < 0.001)
            try change(host, ".date", "\"2026-11-21T05:12:45+02:00\"")
            #expect(host.date.timeIntervalSince1970 == 1_795_230_765)
            try change(host, ".date", "\"2026-11-21\"")
            #expect(host.date.timeIntervalSince1970 == 1_795_219_200)
            try change(host, ".url", "\"https://example.com/x y\"")
            #expect(host.url != nil)
            try change(host, ".url", "nil")
            #expect(host.url == nil)
            let id = UUID()
            try change(host, ".id", "\"\(id)\"")
            #expect(host.id == id)
            try change(host, ".data", "\"aGVsbG8=\"")
            #expect(host.data == Data("hello".utf8))
            try change(host, ".price", "-12.50")
            #expect(host.price == Decimal(string: "-12.5"))
            try change(host, ".byID[\"\(id)\"]", "3")
            #expect(host.byID == [id: 3])
        }

        @Test(
            "what is none is refused with an example",
            arguments: [
                (".date", "\"yesterday\""), (".date", "12"), (".id", "\"12\""),
                (".data", "\"%%\""), (".price", "\"1\""), (".url", "\"\""), (".url", "1"),
            ])
        func refused(path: String, text: String) {
            let failure = refusal(host, path, text)
            #expect(failure?.code == .wrongType)
            #expect(failure?.hint?.hasPrefix("write ") == true)
        }

        @Test("dates far away come back as they were")
        func farDates() throws {
            let format = try #require(ValueFormats.format(for: Date.self))
            for seconds in [-1e12, 1e12, 1e18, 0.001, -0.5, 253_402_300_799] {
                let date = Date(timeIntervalSince1970: seconds)
                let text = try #require(format.render(date, 100)).text
                let back = try #require(format.parse(text) as? Date)
                #expect(abs(back.timeIntervalSince(date)) < 0.001, "\(text)")
            }
        }
    }
#endif
