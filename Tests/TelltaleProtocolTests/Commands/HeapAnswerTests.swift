import Testing

@testable import TelltaleProtocol

@Suite("What the commands of the heap show")
struct HeapAnswerTests {
    private static var heap: HeapAnswer {
        var answer = HeapAnswer()
        var photo = HeapAnswer.Entry(type: "Photo", kind: "class", count: 66_666, bytes: 6 << 20)
        photo.countGrowth = 12
        photo.bytesGrowth = -1_152
        answer.entries = [
            photo, HeapAnswer.Entry(type: "[Photo]", kind: "array", count: 1, bytes: 524_320),
        ]
        answer.omitted = 312
        answer.objects = 150_746
        answer.objectBytes = 8 << 20
        answer.others = [
            .init(below: 64, count: 1_024, bytes: 48 << 10),
            .init(below: nil, count: 2, bytes: 9 << 20),
        ]
        answer.microseconds = 2_300
        answer.notes = ["a\u{1B}note"]
        return answer
    }

    private static let object = InstancesAnswer.Entry(
        handle: 7, type: "Photo", address: "0x7f3a10", values: "size: 3400")

    private static var holders: HoldersAnswer {
        var property = HoldersAnswer.Holder(kind: "property", name: "Album")
        property.handle = 8
        property.address = "0x7f3b20"
        property.place = "cover"
        var weak = HoldersAnswer.Holder(kind: "weak", name: "View")
        weak.place = "photo"
        var variable = HoldersAnswer.Holder(kind: "variable", name: "albums")
        variable.isUncertain = true
        return HoldersAnswer(
            object: object, holders: [property, variable, weak], omitted: 3,
            way: [variable, property])
    }

    @Test("classes, what was left out, and all other blocks by their sizes")
    func table() {
        #expect(
            Self.heap.rendered() == """
                CLASS    KIND    COUNT  BYTES
                Photo    class  66,666     6M
                [Photo]  array       1   512K
                … 312 more (`--top 314`)
                150,746 objects in 8 MiB
                blocks without a Swift object: 1,024 below 64 B (48 KiB), 2 larger (9 MiB)
                note: a\\u{1B}note
                """)
    }

    @Test("with an earlier count, what has grown")
    func grown() {
        var answer = Self.heap
        answer.since = .init(isMark: true, seconds: 12.5, objects: 1, objectBytes: 1)
        answer.others = []
        answer.notes = []
        #expect(
            answer.rendered() == """
                since the mark, 12.5 s ago:
                CLASS    KIND    COUNT  GROWN  BYTES  GROWN
                Photo    class  66,666    +12     6M  -1.1K
                [Photo]  array       1      0   512K      0
                … 312 more (`--top 314`)
                150,746 objects in 8 MiB
                """)
    }

    @Test("objects have their numbers")
    func instances() {
        let answer = InstancesAnswer(instances: [Self.object], total: 3, notes: [])
        #expect(
            answer.rendered() == """
                3 objects of class Photo
                OBJECT  CLASS  ADDRESS   VALUES
                #7      Photo  0x7f3a10  size: 3400
                … 2 more (`--limit 3`)
                """)
        #expect(InstancesAnswer(instances: [], total: 0, notes: []).rendered() == "no such object")
    }

    @Test("holders stand with what they hold it by; what is weak is said to be none")
    func holders() {
        #expect(
            Self.holders.rendered() == """
                #7 Photo 0x7f3a10
                BY               HOLDER    PLACE  ADDRESS
                property         #8 Album  cover  0x7f3b20
                variable?        albums    -      -
                weak, no holder  View      photo  -
                … 3 more
                a shortest way to it:
                  variable?  albums
                  property  #8 Album, at cover
                  #7 Photo
                """)
    }

    @Test("a cycle is a way, and none is said to be none")
    func cycle() {
        let none = CycleAnswer(object: Self.object, steps: [], notes: [])
        #expect(none.rendered() == "no strong references lead from #7 Photo back to it")
        let one = CycleAnswer(
            object: Self.object, steps: [Self.holders.holders[0]], notes: [])
        #expect(
            one.rendered() == """
                strong references lead back to it:
                  property  #8 Album, at cover
                  #7 Photo
                """)
    }

    @Test("they are written and read as JSON")
    func coded() throws {
        #expect(try HeapAnswer(result: Self.heap.result()) == Self.heap)
        #expect(try HoldersAnswer(result: Self.holders.result()) == Self.holders)
        let roots = RootsAnswer(
            roots: [
                .init(
                    name: "PhotoManager.shared", module: "App", type: "PhotoManager",
                    state: "not yet", address: "0x1")
            ], omitted: 1, notes: [])
        #expect(try RootsAnswer(result: roots.result()) == roots)
        #expect(
            roots.rendered() == """
                VARIABLE             TYPE          MODULE  STATE
                PhotoManager.shared  PhotoManager  App     not initialised yet (lazy)
                … 1 more (`--limit 2`)
                """)
    }

    @Test("an initialised variable takes one line, and one long type moves below its own row alone")
    func roots() {
        func root(_ name: String, _ type: String, _ state: String = "made") -> RootsAnswer.Entry {
            .init(name: name, module: "pizzeria", type: type, state: state, address: "0x1")
        }
        let answer = RootsAnswer(
            roots: [
                root("FlatTree.headSize", "Int"), root("NodeFlags.hasAddress", "NodeFlags"),
                root("bellIn", "Swift.AsyncStream<Swift.String>.Continuation"),
                root("menu", "[String]", "not yet"),
            ], omitted: 0, notes: [])
        #expect(
            answer.lines(TextStyle(width: 70)) == [
                "VARIABLE              TYPE       MODULE",
                "FlatTree.headSize     Int        pizzeria",
                "NodeFlags.hasAddress  NodeFlags  pizzeria",
                "bellIn                           pizzeria",
                "    type Swift.AsyncStream<Swift.String>.Continuation",
                "menu                  [String]   pizzeria",
                "    state not initialised yet (lazy)",
            ])
    }

    @Test("types stand with what they are, and methods as the source has them")
    func types() throws {
        let types = TypesAnswer(
            types: [.init(name: "Album.Cover", module: "App", kind: "struct", isGeneric: true)],
            omitted: 0, notes: [])
        #expect(try TypesAnswer(result: types.result()) == types)
        #expect(
            types.rendered() == """
                TYPE         KIND            MODULE
                Album.Cover  generic struct  App
                """)
        let methods = MethodsAnswer(
            type: "Photo", module: "App",
            methods: ["func add(_: Int)", "func map<A>(A)", "var count: Int { get }"],
            refusals: ["", "it is generic", nil], omitted: 2, notes: [])
        #expect(try MethodsAnswer(result: methods.result()) == methods)
        #expect(
            methods.rendered() == """
                func add(_: Int)  (callable)
                func map<A>(A)  (not callable: it is generic)
                var count: Int { get }
                … 2 more
                """)
    }

    @Test("a mark and a comparison are not asked for at once")
    func usage() {
        #expect(throws: CommandFailure.self) {
            try CommandLineParser.parse("heap --mark --diff")
        }
    }
}
