#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent

private struct Padded: Sendable {
    let first: UInt8 = 1
    let second: UInt64 = 2
    let third: UInt8 = 3
}

private enum Sized: Sendable {
    case large(UInt64, UInt64)
    case small(UInt8)
    case text(String)
}

private struct Wide: Sendable {
    let all = (1, 2, 3, 4)
    let last: UInt8 = 9
}

private struct AnyHolder: Sendable { let any: any Sendable = UInt8(5) }

private struct Chosen: Sendable, TelltaleReflectable {
    static var telltaleFields: [String]? { ["last"] }
    let first: UInt32 = 7
    let last: UInt32 = 8
}

private final class Cases: Sendable {
    let number: any Sendable = 42
    let wide: any Sendable = Wide()
    let inner = AnyHolder()
    let padded = Padded()
    let pair: (UInt8, UInt32) = (1, 2)
    let small = Sized.small(7)
    let large = Sized.large(1, 2)
    let address = Sized.text("https://u:p@h")
    let plain = Sized.text("anna")
    let some: UInt64? = 5
    let none: UInt64? = nil
    let chosen = Chosen()
    let url = Substring("https://u:p@h")
    let flag: Bool? = nil
}

private final class Other: Sendable {}

private enum Referring: Sendable {
    case one(Other)
    case two(Other)
    case neither
}

private indirect enum Chain: Sendable {
    case end
    case next(UInt8, Chain)
}

private struct Trouble: Error { let code: UInt8 = 9 }

private enum Either<Left: Sendable, Right: Sendable>: Sendable {
    case left(Left)
    case right(Right)
}

private final class Forms: Sendable {
    let one = Referring.one(Other())
    let two = Referring.two(Other())
    let neither = Referring.neither
    let chain = Chain.next(1, .next(2, .end))
    let ended = Chain.end
    let noObject: Other? = nil
    let noText: String? = nil
    let noAny: (any Sendable)? = nil
    let nested: UInt8??? = .some(.some(nil))
    let padded: Padded? = Padded()
    let failed: Result<UInt64, any Error> = .failure(Trouble())
    let left = Either<UInt8, UInt64>.left(3)
    let right = Either<UInt8, (UInt8, UInt32)>.right((1, 2))
    let range: ClosedRange<UInt8> = 1...2
    let vector = SIMD4<Float>(1, 2, 3, 4)
    let inline: InlineArray<2, Padded> = [Padded(), Padded()]
    let list = [1, 2]
    let none: Void = ()
    let function: @Sendable () -> Void = {}
    let type: any Any.Type = Int.self
}

@Suite("The bytes of a value are its own")
struct ReadingBytesTests {
    private static let zeros = String(repeating: "00", count: 7)

    private func bytes(
        _ path: String, of object: any AnyObject & Sendable = Cases(), masks: MaskPolicy
    ) throws -> String {
        var limits = ReadLimits(deadline: .now.advanced(by: .seconds(60)))
        limits.asked = .bytes
        let content = try ValueReader(limits: limits, masks: masks, handles: nil).readContent(
            .object(object), rootName: "x", path: ValuePath(parsing: path).components)
        guard case .detailed(_, let detail) = content else { return "" }
        let bytes = try #require(detail.bytes)
        #expect(bytes.hexadecimal.utf8.count == bytes.size * 2)
        return bytes.hexadecimal
    }

    private static func none(_ count: Int) -> String { String(repeating: "--", count: count) }

    @Test(
        "what belongs to no property is not shown",
        arguments: [
            ("x.number", "2a" + zeros),
            ("x.padded", "01" + none(7) + "02" + zeros + "03"),
            ("x.pair", "01" + none(3) + "02000000"),
            ("x.small", "07" + none(15) + "01"),
            ("x.large", "01" + zeros + "02" + zeros + "00"),
            ("x.some", "05" + zeros + "00"),
            ("x.flag", "02"),
            ("x.chosen", none(4) + "08000000"),
        ])
    func padding(_ path: String, _ expected: String) throws {
        let masks = MaskPolicy(additionalNames: [])
        #expect(try bytes(path, masks: masks) == expected)
        if path != "x.chosen" { #expect(try bytes(path, masks: .none) == expected) }
    }

    @Test("a value in an Any is the value, and the rest of its room is not shown")
    func existentials() throws {
        let masks = MaskPolicy(additionalNames: [])
        #expect(try bytes("x.wide", masks: masks).utf8.count == 33 * 2)
        let inner = try bytes("x.inner", masks: masks)
        #expect(inner.utf8.count == 64)
        #expect(inner.hasPrefix("05" + Self.none(23)))
        // The type's address.
        #expect(!inner.dropFirst(48).contains("-"))
        let none = try bytes("x.none", masks: masks)
        #expect(none.utf8.count == 18 && none.hasSuffix("01"))
        // The object's header belongs to it.
        let whole = try bytes("x", masks: masks)
        #expect(!whole.prefix(32).contains("-"))
        #expect(whole.contains("01" + Self.none(7) + "02"))
    }

    @Test(
        "of every form of value",
        arguments: [
            ("neither", 8, 0), ("one", 8, 0), ("two", 8, 0), ("chain", 8, 0), ("ended", 8, 0),
            ("noObject", 8, 0), ("noText", 16, nil), ("noAny", 32, nil), ("nested", 4, nil),
            ("padded", 18, 7), ("failed", 9, 0), ("left", 9, 7), ("right", 9, 3), ("range", 2, 0),
            ("vector", 16, 0), ("inline", 48, 28), ("list", 8, 0), ("none", 0, 0),
            ("function", 16, 0), ("type", 8, 0),
        ] as [(String, Int, Int?)])
    func forms(_ name: String, _ size: Int, _ unshown: Int?) throws {
        let forms = Forms()
        for masks in [MaskPolicy(additionalNames: []), .none] {
            let bytes = try bytes("x.\(name)", of: forms, masks: masks)
            #expect(bytes.utf8.count == size * 2, "\(bytes)")
            let left = bytes.utf8.count(where: { $0 == UInt8(ascii: "-") }) / 2
            #expect(unshown == nil ? left < size : left == unshown, "\(bytes)")
            let whole = try self.bytes("x", of: forms, masks: masks)
            #expect(whole.contains("-"))
        }
    }

    @Test("a short text in an enum, and a part of a text, are as secret as the text")
    func texts() throws {
        let masks = MaskPolicy(additionalNames: [])
        #expect(try bytes("x.plain", masks: masks).hasPrefix("616e6e61"))
        #expect(!(try bytes("x.address", masks: masks)).contains("3a2f2f75"))
        #expect(throws: CommandFailure.self) { try bytes("x.url", masks: masks) }
        #expect(!(try bytes("x", masks: masks)).contains("3a2f2f75"))
    }
}
#endif
