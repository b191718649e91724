#if TELLTALE_AGENT
import TelltaleProtocol
import Testing

@testable import TelltaleAgent

@Suite("Values inside of others are set where they are")
struct ChangingNestedTests {
    let host = ChangingHost()

    @Test("through structs, tuples and objects")
    func structs() throws {
        try change(host, ".settings.quality", "20")
        try change(host, ".settings.inner.depth", "5")
        try change(host, ".settings.name", "nil")
        #expect(host.settings.quality == 20)
        #expect(host.settings.inner.depth == 5)
        #expect(host.settings.name == nil)
        try change(host, ".pair.0", "2")
        try change(host, ".pair.label", "two")
        #expect(host.pair == (2, "two"))
        try change(host, ".first.title", "changed")
        #expect(host.first.title == "changed")
        try change(host, ".cover.title", "changed too")
        #expect(host.cover?.title == "changed too")
        try change(host, ".weakPhoto.title", "weakly")
        #expect(host.first.title == "weakly")
        try change(host, ".unownedPhoto.title", "unowned")
        #expect(host.first.title == "unowned")
    }

    @Test("elements of arrays, whose copies stay as they were")
    func arrays() throws {
        let numbers = host.numbers
        let boxes = host.boxes
        try change(host, ".numbers[1]", "20")
        try change(host, ".boxes[1].inner.depth", "9")
        try change(host, ".items[0].title", "x")
        #expect(host.numbers == [1, 20, 3] && numbers == [1, 2, 3])
        #expect(host.boxes[1].inner.depth == 9 && boxes[1].inner.depth == 1)
        #expect(host.boxes[0].inner.depth == 1)
        #expect(host.items[0].title == "x")
    }

    @Test("an index that is not there is refused")
    func indices() {
        for path in [".numbers[3]", ".numbers[9223372036854775807]", ".boxes[2].quality"] {
            #expect(refusal(host, path, "1")?.code == .notFound)
        }
        #expect(refusal(host, ".numbers[3]", "1")?.message.contains("has 3 elements") == true)
        #expect(refusal(host, ".numbers[0..<1]", "1")?.code == .wrongType)
        #expect(refusal(host, ".numbers[1..<4]", "[1]")?.code == .notFound)
        #expect(refusal(host, ".tags[0..<1]", "[\"b\"]")?.code == .unsupported)
        #expect(refusal(host, ".numbers[\"a\"]", "1")?.code == .unsupported)
        #expect(host.numbers == [1, 2, 3])
    }

    @Test("values of dictionaries: changed, inserted and removed")
    func dictionaries() throws {
        let table = host.table
        try change(host, ".table[\"a b\"]", "10")
        try change(host, ".table[\"new\"]", "3")
        try change(host, ".table[\"c\"]", "nil")
        #expect(host.table == ["a b": 10, "new": 3])
        #expect(table == ["a b": 1, "c": 2])
        try change(host, ".byNumber[7]", "\"VII\"")
        #expect(host.byNumber == [7: "VII"])
        try change(host, ".settingsByName[\"low\"].quality", "1")
        #expect(host.settingsByName["low"]?.quality == 1)
        try change(host, ".optionals[\"x\"]", "nil")
        #expect(host.optionals["x"] == .some(.none))
        #expect(refusal(host, ".settingsByName[\"none\"].quality", "1")?.code == .notFound)
        try change(host, ".byMode[.idle]", "2")
        try change(host, ".byMode[.busy]", "3")
        #expect(host.byMode == [.idle: 2, .busy: 3])
        #expect(refusal(host, ".table[1]", "1")?.code == .wrongType)
    }

    @Test("whole collections, tuples and Decodable structs")
    func wholes() throws {
        try change(host, ".numbers", "[4, 5]")
        #expect(host.numbers == [4, 5])
        try change(host, ".table", "[\"x\": 1]")
        #expect(host.table == ["x": 1])
        try change(host, ".table", "{\"y\": 2}")
        #expect(host.table == ["y": 2])
        try change(host, ".tags", "[\"b\", \"c\", \"b\"]")
        #expect(host.tags == ["b", "c"])
        try change(host, ".pair", "(7, label: \"seven\")")
        #expect(host.pair == (7, "seven"))
        try change(host, ".size", "{\"width\": 30, \"height\": 40}")
        #expect(host.size == .init(width: 30, height: 40))
        try change(host, ".numbers", "[]")
        #expect(host.numbers.isEmpty)
        #expect(refusal(host, ".table", "[\"x\": 1, \"x\": 2]")?.code == .usage)
        try change(host, ".plain", "{\"a\": 2}")
        #expect(host.plain.a == 2)
    }

    @Test("a struct in an existential is changed as a copy")
    func existentialStructs() throws {
        let before = host.boxed
        try change(host, ".boxed.inner.depth", "77")
        #expect((host.boxed as? ChangingHost.Settings)?.inner.depth == 77)
        #expect((before as? ChangingHost.Settings)?.inner.depth == 1)
    }

    @Test("actors, inherited properties and generic classes")
    func otherClasses() async throws {
        let actor = ChangingActor()
        try await actor.changed()
        #expect(await actor.now() == 5)
        let generic = ChangingGeneric(["a": [1]])
        try change(generic, ".inherited", "2")
        try change(generic, ".value[\"a\"][0]", "3")
        #expect(generic.inherited == 2 && generic.value == ["a": [3]])
    }

    @Test("an object that is let go of is freed, and one that is kept for undo is not")
    func lifetimes() throws {
        weak let cover = host.cover
        var kept: PerformedChange? = try change(host, ".cover", "nil")
        #expect(host.cover == nil)
        #expect(cover != nil && kept != nil)
        kept = nil
        #expect(cover == nil)
    }
}
#endif
