#if TELLTALE_AGENT
import Foundation
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent
@testable import TelltaleFoundation
@testable import TelltaleRuntime

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

    private struct Held<Value> { let value: Value }

    private func node<Value>(_ value: Value, bytes: Int = 1000) -> ValueNode? {
        var limits = ReadLimits(deadline: .now.advanced(by: .seconds(20)))
        limits.stringBytes = bytes
        let reader = ValueReader(
            limits: limits, masks: MaskPolicy(additionalNames: []), handles: nil)
        return try? reader.read(
            .value(Held(value: value)), rootName: "x", path: [.property("value")])
    }

    @Test("shown as they are typed")
    func shown() throws {
        #expect(node(Date(timeIntervalSince1970: 0))?.text == "\"1970-01-01T00:00:00Z\"")
        #expect(
            node(Date(timeIntervalSince1970: 1.118))?.text == "\"1970-01-01T00:00:01.118Z\"")
        #expect(
            node(try #require(URL(string: "https://a.b/c?d#e")))?.text
                == "\"https://a.b/c?d#e\"")
        #expect(node(Data([1, 2, 255]))?.text == "\"AQL/\"")
        #expect(node(Data([1, 2, 255]))?.note == "3 bytes")
        #expect(node(Data(count: 1000), bytes: 8)?.note == "1,000 bytes, the first 6 shown")
        #expect(node(Decimal(string: "12.50") ?? 0)?.text == "12.5")
        #expect(node(Decimal(string: "12.50") ?? 0)?.kind == .scalar)
    }

    @Test("data and URLs are read as they stand, in each of their forms")
    func forms() throws {
        #expect(StoredData.isKnown)
        #expect(StoredURL.isKnown)
        #expect(StoredDecimal.isKnown)
        for count in [0, 1, 13, 14, 15, 16, 300, 70_000] {
            let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) })
            let isShown =
                node(data, bytes: 60_000)?.text
                == "\"\(data.prefix(60_000 / 4 * 3).base64EncodedString())\""
            #expect(isShown, "\(count)")
            guard count > 15 else { continue }
            let part = data.dropFirst(3).dropLast(2)
            let isPartShown =
                node(part, bytes: 1_000_000)?.text == "\"\(part.base64EncodedString())\""
            #expect(isPartShown, "\(count)")
        }
        let base = try #require(URL(string: "https://example.com/a/b"))
        let url = try #require(URL(string: "c?d", relativeTo: base))
        #expect(node(url)?.text == "\"https://example.com/a/c?d\"")
        #expect(node(URL(fileURLWithPath: "/tmp/ä b"))?.text == "\"file:///tmp/%C3%A4%20b\"")
        #expect(node(url, bytes: 7)?.note == "25 bytes, the first 7 shown")
    }

    @Test("bytes that are none of them are told apart, whatever they are")
    func garbage() {
        let maker = NodeMaker(
            session: ReadSession(
                limits: ReadLimits(deadline: .distantFuture),
                masks: MaskPolicy(additionalNames: []), handles: nil, rootName: "x",
                isPlain: false, source: .process))
        let types: [any Any.Type] = [
            Data.self, URL.self, URL?.self, Date.self, UUID.self, Decimal.self, Data?.self,
            Duration.self,
        ]
        var random = SystemRandomNumberGenerator()
        let words = UnsafeMutablePointer<UInt>.allocate(capacity: 64)
        defer { words.deallocate() }
        var texts = 0
        for round in 0..<2000 {
            for index in 0..<4 {
                switch round % 4 {
                case 0: words[index] = random.next()
                case 1:
                    words[index] = UInt(bitPattern: words) &+ UInt.random(in: 0..<64) &* 8
                case 2: words[index] = random.next() & 0x7FFF_FFFF_FFF8
                default: words[index] = random.next() & 0xFFFF
                }
            }
            for type in types {
                let view = ValueView(
                    of: type, at: UInt(bitPattern: words), in: .process, isStable: true)
                let node = view.map { maker.node(of: $0, label: nil, level: 0) }
                if node?.text != nil { texts += 1 }
            }
        }
        // Dates and UUIDs are texts whatever their bytes.
        #expect(texts >= 4000)
    }

    // One that outlives what it refers to.
    private final class Dangling {
        unowned(unsafe) var freed: Holder
        init(_ holder: Holder) { freed = holder }
    }

    private final class Holder {
        var data = Data(repeating: 7, count: 200)
        var url = URL(fileURLWithPath: "/tmp/some/where/or/other")
        var part = Data(repeating: 8, count: 200)[5..<100]
    }

    @Test("a freed object's data and URLs cost nothing but their values")
    func freed() throws {
        var kept: [[UInt8]] = []
        for round in 0..<200 {
            let dangling = {
                let holder = Holder()
                return Dangling(holder)
            }()
            // Other bytes where it stood.
            kept = (0..<20).map {
                [UInt8](repeating: UInt8($0 &+ round & 0xFF), count: 8 + $0 * 8)
            }
            let reader = ValueReader(
                limits: ReadLimits(deadline: .now.advanced(by: .seconds(20))),
                masks: MaskPolicy(additionalNames: []), handles: nil)
            _ = try? reader.read(.object(dangling), rootName: "x", path: [])
            for name in ["data", "url", "part"] {
                _ = try? reader.read(
                    .object(dangling), rootName: "x",
                    path: [.property("freed"), .property(name)])
            }
        }
        #expect(kept.count == 20)
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
            let text = try #require(node(date)?.text)
            let back = try #require(format.parse(String(text.dropFirst().dropLast())) as? Date)
            #expect(abs(back.timeIntervalSince(date)) < 0.001, "\(text)")
        }
    }
}
#endif
