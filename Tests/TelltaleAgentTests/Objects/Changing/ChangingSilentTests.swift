#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent

@Suite("What is changed by the thread of a connection runs no code of the host's")
struct ChangingSilentTests {
    /// Whose keys are hashed by the host, and which notices what is done to it.
    private final class Noticing {
        struct Key: Hashable {
            nonisolated(unsafe) static var hashings = 0
            var name: String
            func hash(into hasher: inout Hasher) {
                Self.hashings += 1
                hasher.combine(name)
            }
        }
        struct Width: Decodable {
            nonisolated(unsafe) static var readings = 0
            var value: Int
            init(value: Int) { self.value = value }
            init(from decoder: any Decoder) throws {
                Self.readings += 1
                value = try decoder.singleValueContainer().decode(Int.self)
            }
        }
        var byKey = [Key(name: "a"): 1]
        var width = Width(value: 1)
    }

    private static func setting(
        _ path: String, to text: String
    ) throws -> ([ValuePath.Component], ValueEdit) {
        ValueEdit.setting(
            try ValuePath(parsing: "host" + path).components, to: TypedText(text))
    }

    private static func silently(
        _ object: AnyObject, _ path: String, _ text: String
    ) throws -> PerformedChange? {
        let (path, edit) = try setting(path, to: text)
        return silentChange(object, path, edit, changingWriter())
    }

    @Test(
        "numbers, texts and collections of them, through objects, structs, optionals and elements",
        arguments: [
            (".prompt", "\"x\""), (".count", "4"), (".isOpen", "true"), (".letter", "\"b\""),
            (".nested", "5"), (".nested", "nil"), (".settings.inner.depth", "2"),
            (".settings.name", "nil"), (".cover.title", "\"new\""), (".items[1].title", "\"new\""),
            (".numbers[0]", "9"), (".numbers", "[4, 5]"), (".table[\"c\"]", "3"),
            (".table[\"new\"]", "3"), (".pair.label", "\"two\""), (".apiToken", "\"other\""),
        ])
    func silent(path: String, text: String) throws {
        let host = ChangingHost()
        let before = try ValueReader.usual().read(host, "x").plainText
        let made = try #require(try Self.silently(host, path, text), "\(path)")
        #expect(try ValueReader.usual().read(host, "x").plainText != before || path == ".apiToken")
        let expected = path == ".apiToken" ? MaskPolicy.text : text
        #expect(made.newText == expected)
        _ = try changingWriter().undo(made, root: .object(host))
        #expect(try ValueReader.usual().read(host, "x").plainText == before)
    }

    @Test(
        "all else is left to a worker, with nothing changed",
        arguments: [
            (".mode", ".busy"), (".size", "(width: 3, height: 4)"), (".options", "1"),
            (".anything", "2"), (".boxed.quality", "1"), (".weakPhoto", "nil"), (".lock", "2"),
            (".tags", "[\"b\"]"), (".byMode[.idle]", "2"), (".cover", "nil"), (".fixed", "13"),
            (".fixedSettings.quality", "1"), (".count", "\"text\""), (".nothing", "1"),
            (".numbers[3]", "1"), (".small", "256"), (".cover.next.title", "\"x\""),
        ])
    func notSilent(path: String, text: String) throws {
        let host = ChangingHost()
        let before = try ValueReader.usual().read(host, "x").plainText
        #expect(try Self.silently(host, path, text) == nil, "\(path)")
        #expect(try ValueReader.usual().read(host, "x").plainText == before, "\(path)")
    }

    @Test("the host hashes no key and reads no value meanwhile")
    func noCode() throws {
        let host = Noticing()
        let before = (Noticing.Key.hashings, Noticing.Width.readings)
        #expect(try Self.silently(host, ".byKey[(name: \"a\")]", "2") == nil)
        #expect(try Self.silently(host, ".width", "2") == nil)
        #expect((Noticing.Key.hashings, Noticing.Width.readings) == before)
        try change(host, ".width", "2")
        #expect(Noticing.Width.readings > before.1)
    }

    @Test("the last of many are kept, in their order")
    func latest() {
        for limit in 1...5 {
            var latest = LatestElements<Int>(limit: limit)
            var all: [Int] = []
            for element in 0..<17 {
                all.append(element)
                let dropped = latest.append(element)
                #expect(dropped == (element >= limit ? element - limit : nil))
                #expect(Array(latest) == all.suffix(limit))
            }
            latest[0] = -1
            #expect(latest.first == -1 && latest.count == limit)
        }
    }
}
#endif
