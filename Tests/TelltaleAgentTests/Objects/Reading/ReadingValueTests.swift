#if TELLTALE_AGENT
import Foundation
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

@Suite("Values are read as Mirror tells them")
struct ReadingValueTests {
    private let everything = Sample.Everything(text: String(repeating: "größe ", count: 9))

    @Test("this runtime's layouts are those that the reader knows")
    func calibration() {
        #expect(MetadataLayout.current.notes == [])
    }

    @Test("every kind of property")
    func everyKind() throws {
        let node = try ValueReader.usual { $0.depth = 20 }.read(everything)
        var mirrored = 0
        let byLabel = Dictionary(
            node.children.map { ($0.label ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        let special: Set<String> = [
            "type", "classType", "function", "mutex", "inline", "sizes",
        ]
        for child in Mirror(reflecting: everything).children {
            let label = Self.bare(child.label ?? "")
            guard !special.contains(label) else { continue }
            let read = try #require(byLabel[label])
            #expect(
                ReadingOracle.text(of: read) == ReadingOracle.text(of: child.value), "\(label)")
            mirrored += 1
        }
        #expect(mirrored == node.children.count - special.count)
        #expect(mirrored > 45)
    }

    private static func bare(_ label: String) -> String {
        for prefix in ["$__lazy_storage_$_", "_"] where label.hasPrefix(prefix) {
            return String(label.dropFirst(prefix.count))
        }
        return label
    }

    @Test("what Mirror does not tell")
    func special() throws {
        let reader = ValueReader.usual()
        #expect(try reader.read(everything, "x.type").text == "Int.self")
        #expect(try reader.read(everything, "x.classType").text == "Dog.self")
        #expect(try reader.read(everything, "x.function").kind == .opaque)
        let mutex = try reader.read(everything, "x.mutex")
        #expect(mutex.text == "5")
        #expect(mutex.note == "in its Mutex")
        let inline = try reader.read(everything, "x.inline")
        #expect(ReadingOracle.text(of: inline) == "[7, 8, 9]")
        let sizes = try reader.read(everything, "x.sizes")
        #expect(sizes.children.map(\.label) == ["[Size(width: 1, height: 2.0)]"])
        #expect(sizes.children.first?.text == "\"x\"")
        #expect(try reader.read(everything, "x.later").note == "lazy, not yet made")
        #expect(try reader.read(everything, "x.made").text == "6")
    }

    @Test("inherited properties come first")
    func inheritance() throws {
        let keeper = Sample.Animal(legs: 2, name: "Kim")
        let dog = Sample.Dog(keeper: keeper)
        let node = try ValueReader.usual().read(dog)
        #expect(node.type == "Dog")
        #expect(
            node.children.map(\.label)
                == ["legs", "name", "age", "owner", "friend", "keeper", "other"])
        #expect(node.children[1].text == "\"Rex\"")
        withExtendedLifetime(keeper) {}
    }

    @Test(
        "types have Swift's short names",
        arguments: [
            ([Int].self as Any.Type, "[Int]"),
            ([String: [Int?]].self, "[String: [Int?]]"),
            (Sample.Box<[Sample.Size]>.self, "Box<[Size]>"),
            ((Int, a: String?).self, "(Int, a: String?)"),
            (((Int?) -> [Int])?.self, "((Int?) -> [Int])?"),
            ([[String: (Int, [Int])]]?.self, "[[String: (Int, [Int])]]?"),
            (Set<Int?>.self, "Set<Int?>"), (ArraySlice<Int>.self, "ArraySlice<Int>"),
            (ContiguousArray<Int>.self, "ContiguousArray<Int>"),
        ])
    func names(_ type: Any.Type, _ name: String) {
        #expect(TypeNames.name(of: type) == name)
    }

    @Test("actors and observable classes show what the source has")
    func macros() throws {
        let reader = ValueReader.usual()
        let counter = try reader.read(Sample.Counter())
        #expect(counter.children.map(\.label) == ["value", "name"])
        let watched = try reader.read(Sample.Watched())
        #expect(watched.children.map(\.label) == ["title", "count"])
        #expect(try reader.read(Sample.Watched(), "x._title").text == "\"seen\"")
    }

    @Test("strings of every form and length")
    func strings() throws {
        for length in [0, 1, 14, 15, 16, 17, 100, 5000] {
            for piece in ["a", "é", "日本", "👍🏽"] {
                let text = String(repeating: piece, count: length)
                let node = try ValueReader.usual().read(
                    .value(text), rootName: "x", path: [])
                #expect(node.text == Literal.quoted(text))
                let part = text.dropFirst(1).dropLast(1)
                let partNode = try ValueReader.usual().read(
                    .value(part), rootName: "x", path: [])
                #expect(partNode.text == Literal.quoted(String(part)))
            }
        }
    }

    @Test("enums of every layout")
    func enums() throws {
        final class Object { let number = 1 }
        enum Mixed {
            case object(Object), other(Object), text(String), flag(Bool), none, empty
        }
        enum Single { case only }
        enum Narrow { case number(UInt8), nothing }
        let object = Object()
        let values: [Any] = [
            Mixed.object(object), Mixed.other(object), Mixed.text("a text of some length"),
            Mixed.flag(true), Mixed.none, Mixed.empty, Single.only, Narrow.number(255),
            Narrow.nothing, Result<Int, Sample.Failure>.success(1),
            Result<Int, Sample.Failure>.failure(Sample.Failure()),
            Optional<Bool?>.some(nil) as Any,
            Optional<Object>.some(object) as Any, Sample.Colour.green,
        ]
        for value in values {
            let node = try ValueReader.usual().read(.value(value), rootName: "x", path: [])
            #expect(ReadingOracle.text(of: node) == ReadingOracle.text(of: value))
        }
    }

    @Test("large collections are read whole where that is asked for")
    func collections() throws {
        final class Store {
            let numbers = Array(0..<5000)
            let names = Dictionary(uniqueKeysWithValues: (0..<3000).map { ("key \($0)", $0) })
            let set = Set((0..<3000).map { "element \($0)" })
            let tuples = (0..<300).map { ($0, "text \($0)", $0 % 2 == 0 ? nil : "odd") }
        }
        let store = Store()
        let node = try ValueReader.usual { $0.elements = 10_000 }.read(store)
        for (read, child) in zip(node.children, Mirror(reflecting: store).children) {
            #expect(
                ReadingOracle.text(of: read) == ReadingOracle.text(of: child.value))
        }
    }

    @Test("Foundation's and C's types are no trouble")
    func foundation() throws {
        final class Mixed {
            let time = timespec(tv_sec: 1, tv_nsec: 2)
            let lock = NSLock()
            let queue = DispatchQueue(label: "q")
            let encoder = JSONEncoder()
            let process = ProcessInfo.processInfo
            let url = URL(string: "https://example.com")
            let date = Date()
            let data = Data([1, 2, 3])
            let address = sockaddr()
            let vector = SIMD4<Float>(1, 2, 3, 4)
            let task = Task {}
            let stream = AsyncStream<Int> { _ in }
            let components = DateComponents(year: 2026)
            let notifications = NotificationCenter.default
            let pointer: UnsafeMutablePointer<Int>? = nil
            let key: KeyPath<String, Int> = \.count
            let decimal = Decimal(12)
            let attributed = NSMutableString(string: "mutable")
            let last = 99
        }
        let node = try ValueReader.usual { $0.depth = 64 }.read(Mixed())
        #expect(node.children.last?.text == "99")
        #expect(node.children.count == 19)
    }

    private struct Timed {
        let clock = ContinuousClock()
        let token = "short"
        let inner = Inner()
        struct Inner {
            let clock = ContinuousClock()
            let number = 1
        }
    }

    @Test("a key path to a property without a size is not one to the next property")
    func keyPaths() throws {
        final class Object {
            let clock: AnyKeyPath = \Timed.clock
            let inner: AnyKeyPath = \Timed.inner.clock
            let number: AnyKeyPath = \Timed.inner.number
        }
        let object = Object()
        func text(_ path: String) throws -> String {
            let node = try ValueReader.usual().read(object, path)
            return node.text ?? ""
        }
        #expect(try text("x.clock").hasSuffix("Timed.clock"))
        #expect(try text("x.inner").hasSuffix("Timed.inner.clock"))
        #expect(try text("x.number").hasSuffix("Timed.inner.number"))
    }
}
#endif
