import TelltaleTestSupport
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

private final class Held {}

private struct Inner {
    var number = 1
    var reference: Held?
    var pair: (Int, Held?) = (2, nil)
}

private class Base {
    var count = 3
    var inner = Inner()
    weak var shy: Held?
    unowned(unsafe) var raw: Held?
}

private final class Derived: Base {
    var last: Any = 4
}

@Suite("What a word in an object is called")
struct WordPlaceTests {
    private let masks = MaskPolicy(additionalNames: [])

    private func place(_ offset: Int, _ object: AnyObject) -> WordPlace {
        WordPlace.of(
            UInt(offset), in: UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()),
            type(of: object), masks)
    }

    private func offset(of name: String) throws -> Int {
        try #require(FieldCache.fields(of: Derived.self).first { $0.name == name }).offset
    }

    @Test("a property goes by its name, and what is in a struct by both names")
    func properties() throws {
        let object = Derived()
        let inner = try offset(of: "inner")
        let reference = place(inner + 8, object)
        #expect(reference.text == "inner.reference" && reference.kind == "property")
        #expect(!reference.isUncertain)
        #expect(place(inner + 24, object).text == "inner.pair.1")
        #expect(place(inner, object).isUncertain)
        #expect(place(try offset(of: "count"), object).isUncertain)
        #expect(place(try offset(of: "shy"), object).kind == "weak")
        #expect(place(try offset(of: "raw"), object).kind == "unowned")
        #expect(place(try offset(of: "last"), object).text == "last")
        #expect(place(4_096, object).isUncertain)
    }

    @Test(
        "an element goes by its index, and a value by its key, which is masked where it is a secret's"
    )
    func elements() throws {
        let array = [Inner(), Inner(), Inner()]
        let storage = try #require(unsafeBitCast(array, to: AnyObject?.self))
        let stride = MemoryLayout<Inner>.stride
        #expect(place(32 + 2 * stride + 8, storage).text == "[2].reference")
        #expect(place(32 + stride, storage).isUncertain)
        let table = ["https://u:hush-key@h/": Held()]
        let hash = try #require(unsafeBitCast(table, to: AnyObject?.self))
        let address = UInt(bitPattern: Unmanaged.passUnretained(hash).toOpaque())
        let values = try #require(
            UnsafeRawPointer(bitPattern: address + 56)?.load(as: UInt.self))
        let found = (0..<8).map { place(Int(values - address) + $0 * 8, hash).text ?? "" }
        #expect(found.allSatisfy { !$0.contains("hush") })
        #expect(found.contains { $0.contains("<masked>@h/") }, "\(found)")
        withExtendedLifetime((array, table)) {}
    }
}
