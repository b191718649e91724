#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent

@Suite("The way to what was changed is kept only where it leads to an object's own storage")
struct KeptWayTests {
    private static func kept(
        _ host: AnyObject, _ path: String, _ text: String
    ) throws -> KeptPlace? {
        let components = try ValuePath(parsing: "host" + path).components
        var writer = changingWriter()
        writer.isSilent = true
        let (_, seen) = try writer.changeSilently(
            .object(host), "host", components, .assign(TypedText(text)))
        guard let seen else { return nil }
        let entry = RegistryEntry(
            identifier: 1, name: "host", target: .object(HostReference(host)), owner: .none,
            type: type(of: host), isLeftOutOfDumps: false)
        let target = PathReading.Target(
            entry: entry, path: components, expected: nil, rendered: "host" + path)
        let session = ReadSession(
            limits: writer.limits, masks: writer.masks, handles: nil, rootName: "host",
            isPlain: false, source: .process)
        return KeptPlace(target, seen, from: host, names: 0, in: session)
    }

    private static func changed(
        _ kept: KeptPlace, _ host: ChangingHost, _ text: String
    ) throws -> PerformedChange? {
        try changingWriter().changeSilently(kept, from: host, .assign(TypedText(text)))
    }

    @Test(
        "numbers, texts, optionals and whole arrays, in objects and the structs in them",
        arguments: [
            (".prompt", "\"x\"", "\"y\""), (".count", "4", "5"), (".isOpen", "true", "false"),
            (".letter", "\"b\"", "\"c\""), (".nested", "5", "nil"), (".numbers", "[4, 5]", "[]"),
            (".settings.inner.depth", "2", "3"), (".settings.name", "nil", "\"n\""),
            (".items[1].title", "\"new\"", "\"newer\""), (".ratio", "2.5", "3.5"),
        ])
    func kept(path: String, first: String, second: String) throws {
        let host = ChangingHost()
        let kept = try #require(try Self.kept(host, path, first), "\(path)")
        let change = try #require(try Self.changed(kept, host, second))
        #expect(change.oldText == first && change.newText == second)
        #expect(try ValueReader.usual().read(host, "x\(path)").plainText == second)
        _ = try changingWriter().undo(change, root: .object(host))
        #expect(try ValueReader.usual().read(host, "x\(path)").plainText == first)
        // Another object of the class has its own.
        let other = ChangingHost()
        _ = try Self.changed(kept, other, second)
        #expect(try ValueReader.usual().read(other, "x\(path)").plainText == second)
        #expect(try ValueReader.usual().read(host, "x\(path)").plainText == first)
    }

    @Test(
        "elements that others may have as well, optionals, keys, secrets and what has code around it are not",
        arguments: [
            (".numbers[0]", "9"), (".boxes[0].quality", "9"), (".table[\"c\"]", "3"),
            (".pair.label", "\"two\""), (".apiToken", "\"other\""), (".cover.title", "\"new\""),
        ])
    func notKept(path: String, text: String) throws {
        #expect(try Self.kept(ChangingHost(), path, text) == nil)
    }

    @Test("of an actor nothing is: behind one it matters which one it is")
    func actor() throws {
        #expect(try Self.kept(ChangingActor(), ".total", "5") == nil)
    }
}
#endif
