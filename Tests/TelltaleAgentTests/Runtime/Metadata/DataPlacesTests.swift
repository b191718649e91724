#if TELLTALE_AGENT
import Testing

@testable import TelltaleRuntime

/// Parts of an object that can't hold a reference.
struct DataPlacesTests {
    private enum Format { case jpeg, png }
    private struct Size { var (width, height) = (0, 0) }
    private struct Named {
        var count: Int
        var object: AnyObject?
    }

    private class Base {
        // At 16: nine bytes, and seven of whatever there was.
        var count: Int? = 1
        // Right behind it.
        var isOn = true
        var format = Format.png
        // At 32, until 48, and a byte.
        var size: Size?
    }

    private final class Derived: Base {
        // At 56.
        var object: AnyObject?
        // Nil as long as the second word is 0.
        var named: Named?
        // A whole word may be an address.
        var number: UInt = 0
    }

    private func words(_ object: AnyObject, _ type: Any.Type) -> [UInt] {
        let places = DataPlaces(of: type)
        let start = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        return withExtendedLifetime(object) {
            stride(from: UInt(0), to: 104, by: 8).filter { places.has($0, in: start) }
        }
    }

    @Test("what stands behind an Int? up to the next property is none")
    func padding() {
        #expect(MemoryLayout<Int?>.size == 9)
        let base = Base()
        #expect(words(base, Base.self) == [24, 32, 40, 48])
        base.size = Size()
        #expect(words(base, Base.self) == [24, 48])
    }

    @Test("an optional that is nil has none, and one that is not has its own")
    func optionals() throws {
        let derived = Derived()
        derived.size = Size()
        let offset = try #require(
            FieldCache.fields(of: Derived.self).first { $0.name == "named" }?.offset)
        let nothing = words(derived, Derived.self)
        #expect(nothing.contains(UInt(offset)) && nothing.contains(UInt(offset) + 8))
        derived.named = Named(count: 1, object: derived)
        let something = words(derived, Derived.self)
        #expect(!something.contains(UInt(offset)) && !something.contains(UInt(offset) + 8))
        derived.named = nil
        let number = try #require(
            FieldCache.fields(of: Derived.self).first { $0.name == "number" }?.offset)
        #expect(!something.contains(UInt(number)) && !something.contains(56))
    }

    private enum State {
        case idle
        case failed(Base, Base)
        case done(Base)
    }

    private final class Working {
        var state = State.idle
    }

    @Test("an enum has what its case carries")
    func cases() {
        let working = Working()
        #expect(words(working, Working.self).prefix(2) == [16, 24])
        working.state = .done(Base())
        let done = words(working, Working.self)
        #expect(!done.contains(16) && done.contains(24))
        working.state = .failed(Base(), Base())
        let failed = words(working, Working.self)
        #expect(!failed.contains(16) && !failed.contains(24))
    }

    @Test("of a class without properties nothing is said")
    func others() {
        final class Empty {}
        #expect(words(Empty(), Empty.self).isEmpty)
    }
}
#endif
