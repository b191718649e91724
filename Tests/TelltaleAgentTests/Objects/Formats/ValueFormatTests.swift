#if DEBUG
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent

/// A host's own formats are called with values that they can't be harmed by, and with no others.
struct ValueFormatTests {
    struct Point { var x: Int, y: Double, isSet: Bool, color: Color }
    enum Color: UInt8 { case red, green, blue }
    enum Choice { case number(Int), color(Color), none }
    struct Name { var text: String }
    struct Place { var start: UnsafeRawPointer? }
    struct Maybe { var choice: Choice, number: UInt16?, pair: (Int8, Unicode.Scalar) }

    final class Host {
        var point = Point(x: 1, y: 2.5, isSet: true, color: .blue)
        var name = Name(text: "a name of more than fifteen bytes")
        var place = Place(start: UnsafeRawPointer(bitPattern: 4096))
        var maybe = Maybe(choice: .color(.green), number: nil, pair: (1, "x"))
    }

    private static func use<Value>(_ type: Value.Type) {
        ValueFormats.register(
            ValueFormat(
                type, example: "\"x\"",
                render: { value, _ in .init("<\(value)>") }, parse: { _ in nil }))
    }

    init() {
        Self.use(Point.self)
        Self.use(Name.self)
        Self.use(Place.self)
        Self.use(Maybe.self)
    }

    private func node(_ name: String, of host: Host, snapshot: Bool = false) throws -> ValueNode {
        let limits = ReadLimits(deadline: .now.advanced(by: .seconds(20)))
        let masks = MaskPolicy(additionalNames: [])
        let path = [ValuePath.Component.property(name)]
        if snapshot {
            return try SnapshotReader(limits: limits, masks: masks, handles: nil)
                .read(.object(host), rootName: "x", path: path)
        }
        return try ValueReader(limits: limits, masks: masks, handles: nil)
            .read(.object(host), rootName: "x", path: path)
    }

    @Test("numbers, enums and structs of them are given to it", arguments: [false, true])
    func plain(snapshot: Bool) throws {
        let host = Host()
        #expect(
            try node("point", of: host, snapshot: snapshot).text
                == "\"<\(host.point)>\"")
        #expect(
            try node("maybe", of: host, snapshot: snapshot).text
                == Literal.quoted("<\(host.maybe)>"))
    }

    @Test("a value with references or pointers is shown by its fields, which is said")
    func references() throws {
        let host = Host()
        for (name, field) in [("name", "text"), ("place", "start")] {
            let node = try node(name, of: host)
            #expect(node.kind == .structure)
            #expect(node.note == "its format is not used: it refers to other memory")
            #expect(node.children.map(\.label) == [field])
        }
    }

    @Test("bytes that are no value of the type are not given to it")
    func invalid() throws {
        let host = Host()
        func expectNone(_ name: String) throws {
            let node = try node(name, of: host)
            #expect(node.kind == .unavailable)
            #expect(node.note == NodeMaker.changing)
        }
        withUnsafeMutableBytes(of: &host.point) {
            $0[MemoryLayout<Point>.offset(of: \.color) ?? 0] = 9
        }
        try expectNone("point")
        withUnsafeMutableBytes(of: &host.point) {
            $0[MemoryLayout<Point>.offset(of: \.color) ?? 0] = 1
            $0[MemoryLayout<Point>.offset(of: \.isSet) ?? 0] = 77
        }
        try expectNone("point")
        withUnsafeMutableBytes(of: &host.maybe) {
            $0.storeBytes(
                of: 0xFFFF_FFFF,
                toByteOffset: (MemoryLayout<Maybe>.offset(of: \.pair) ?? 0) + 4,
                as: UInt32.self)
        }
        try expectNone("maybe")
    }
}
#endif
