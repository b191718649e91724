#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent

/// Properties of the kinds that have spellings of their own.
private final class Kinds {
    struct Point: Equatable { var x = 1.0, y = 2.0 }
    struct Line: Equatable {
        var from = Point()
        var to = Point(x: 3, y: 4)
        var name: String?
        let tag: String
    }
    enum Mood: Hashable { case calm, busy(Int), moved(to: Point) }
    class Photo {}
    final class Wide: Photo {}

    var point = Point()
    var line = Line(tag: "t")
    var perhaps: Line?
    var mood = Mood.calm
    var moods: [Mood: Int] = [:]
    var range = 0..<5
    var closed = 1...3
    var from = 2...
    var texts = "a"..."c"
    var time = Duration.seconds(1)
    var flag = false
    var single: Float = 1
    var double = 1.0
    var small: UInt8 = 200
    var list = [1, 2, 3, 4]
    var names: Set<String> = ["a"]
    var sizes = ["a": 1]
    var text = "ab"
    var bounds: (Int, Int) = (1, 2)
    var maybeList: [Int]?
    var photo = Photo()
    var cover: Photo?
    var any: AnyObject?
    weak var weakly: Photo?
    unowned var owner: Photo
    unowned var perhapsOwner: Photo?
    var apiToken = "hush"
    let kept = Photo()
    init() { owner = kept }
}

extension Kinds.Point: Hashable {}

@Suite("Each kind of value takes what it is shown as, and nothing else")
struct ChangingKindsTests {
    private let host = Kinds()

    private func set(_ path: String, _ text: String, _ object: AnyObject) throws {
        var typed = TypedText(text)
        for path in typed.paths {
            let held = HeldValue<Any>(object, of: .none, .toOwnerOrHost)
            typed.references.found[path.description] = .success(held)
        }
        try edit(host, path, .assign(typed))
    }

    @Test("a struct by all of its properties, some, or the name of its type")
    func structs() throws {
        try change(host, ".point", "(x: 5, y: 6)")
        #expect(host.point == .init(x: 5, y: 6))
        try change(host, ".point", "(y: 7)")
        #expect(host.point == .init(x: 5, y: 7))
        try change(host, ".point", "Point(x: 3.0, y: 2.5)")
        #expect(host.point == .init(x: 3, y: 2.5))
        try change(host, ".line", "Line(to: (x: 9), name: \"n\")")
        #expect(host.line == .init(to: .init(x: 9, y: 4), name: "n", tag: "t"))
        try change(host, ".perhaps", "(from: (x: 0, y: 0), to: (x: 0, y: 1), tag: \"new\")")
        #expect(host.perhaps == .init(from: .init(x: 0, y: 0), to: .init(x: 0, y: 1), tag: "new"))
    }

    @Test("a struct is refused by a property that it hasn't, one twice, or another type's name")
    func wrongStructs() {
        #expect(refusal(host, ".point", "(x: 1, z: 2)")?.hint?.contains("x, y") == true)
        #expect(refusal(host, ".point", "(x: 1, x: 2)")?.code == .usage)
        #expect(refusal(host, ".point", "Size(x: 1, y: 2)")?.code == .wrongType)
        let missing = refusal(host, ".perhaps", "(name: \"n\")")
        #expect(missing?.message.contains("without from, to, tag") == true, "\(missing as Any)")
        #expect(host.point == .init() && host.perhaps == nil)
    }

    @Test("a case by its type's name, a range, a duration")
    func spellings() throws {
        try change(host, ".mood", "Mood.busy(1)")
        #expect(host.mood == .busy(1))
        try change(host, ".mood", "Mood.calm")
        #expect(host.mood == .calm)
        try change(host, ".mood", ".moved(to: Point(x: 1.0, y: 1.0))")
        #expect(host.mood == .moved(to: .init(x: 1, y: 1)))
        try change(host, ".moods", "[.calm: 1, .busy(2): 3]")
        try change(host, ".moods[.busy(2)]", "4")
        #expect(host.moods == [.calm: 1, .busy(2): 4])
        try change(host, ".range", "1..<10")
        try change(host, ".closed", "-1 ... 1")
        try change(host, ".from", "7...")
        try change(host, ".texts", "\"b\"...\"d\"")
        #expect(host.range == 1..<10 && host.closed == -1...1 && host.texts == "b"..."d")
        #expect(host.from.lowerBound == 7)
        for (text, time) in [
            ("3.0 seconds", Duration.seconds(3)), ("1e-09 seconds", .nanoseconds(1)),
            ("200 ms", .milliseconds(200)), ("-2 min", .seconds(-120)),
        ] {
            try change(host, ".time", text)
            #expect(host.time == time, "\(text)")
        }
    }

    @Test(
        "what a type has not is refused, with the type",
        arguments: [
            (".range", "1...3", "Range<Int>"), (".range", "3..<1", "Range<Int>"),
            (".closed", "1..<3", "ClosedRange<Int>"), (".time", "3", "Duration"),
            (".mood", "Other.busy(1)", "Mood"), (".single", "16777217", "Float"),
            (".double", "9007199254740993", "Double"), (".flag", "yes", "Bool"),
            (".small", "256", "UInt8"), (".list", "1..<3", "[Int]"), (".texts", "1...2", "String"),
        ])
    func wrongSpellings(path: String, text: String, type: String) {
        let failure = refusal(host, path, text)
        #expect(
            failure?.code == .wrongType && failure?.message.contains(type) == true,
            "\(failure as Any)")
        #expect(host.range == 0..<5 && host.small == 200 && !host.flag)
    }

    @Test("yes and on for a Bool are answered with what to write")
    func words() {
        for word in ["yes", "on", "1", "\"true\""] {
            #expect(refusal(host, ".flag", word)?.hint == "write `true`")
        }
        #expect(refusal(host, ".flag", "off")?.hint == "write `false`")
    }

    @Test("a mark stands below the part that doesn't fit")
    func marks() {
        let failure = refusal(host, ".line", "(from: (x: 1, y: \"two\"), tag: \"t\")")
        #expect(
            failure?.message.hasPrefix("column 18: host.line.from.y is a Double") == true,
            "\(failure as Any)")
        let lines = failure?.hint?.split(separator: "\n").map(String.init) ?? []
        #expect(lines.first == "(from: (x: 1, y: \"two\"), tag: \"t\")")
        #expect(lines.dropFirst().first == "                 ^")
        #expect(refusal(host, ".list", "[1, (2), x]")?.hint?.contains("\n         ^") == true)
        #expect(
            refusal(host, ".moods", "[.calm: 1, .busy(true): 2]")?.message.hasPrefix("column 18")
                == true)
        // A secret is not repeated.
        #expect(refusal(host, ".apiToken", "[1, 2]")?.description.contains("1, 2") == false)
    }

    @Test("+= and -= where a type has them, within its range")
    func sums() throws {
        try edit(host, ".small", .combine(isSum: true, TypedText("55")))
        #expect(host.small == 255)
        try edit(host, ".list[1]", .combine(isSum: false, TypedText("5")))
        try edit(host, ".list", .combine(isSum: true, TypedText("[9]")))
        #expect(host.list == [1, -3, 3, 4, 9])
        try edit(host, ".text", .combine(isSum: true, TypedText("\"c\"")))
        try edit(host, ".time", .combine(isSum: true, TypedText("500 ms")))
        #expect(host.text == "abc" && host.time == .milliseconds(1500))
        for (path, isSum, text) in [
            (".small", true, "1"), (".small", false, "256"), (".text", false, "\"c\""),
            (".flag", true, "true"), (".maybeList", true, "[1]"), (".sizes[\"x\"]", true, "1"),
        ] {
            #expect(throws: CommandFailure.self) {
                try edit(host, path, .combine(isSum: isSum, TypedText(text)))
            }
        }
        #expect(host.small == 255 && host.text == "abc" && host.sizes == ["a": 1])
    }

    @Test("elements of an array by a range, whose copies stay as they were")
    func slices() throws {
        let before = host.list
        let performed = try change(host, ".list[1..<3]", "[7, 8, 9]")
        #expect(host.list == [1, 7, 8, 9, 4] && before == [1, 2, 3, 4])
        _ = try changingWriter().undo(performed, root: .object(host))
        #expect(host.list == before)
        try change(host, ".list[4..<4]", "[5]")
        #expect(host.list == [1, 2, 3, 4, 5])
    }

    @Test("objects of a fitting class, strong, weak and unowned, and nil")
    func references() throws {
        let (photo, wide) = (Kinds.Photo(), Kinds.Wide())
        try set(".cover", "#7", photo)
        try set(".photo", "photos.items[2]", wide)
        try set(".any", "photos", self.host)
        #expect(host.cover === photo && host.photo === wide && host.any === host)
        host.any = nil
        try set(".weakly", "#7", photo)
        try set(".owner", "#7", wide)
        try set(".perhapsOwner", "#7", wide)
        #expect(host.weakly === photo && host.owner === wide && host.perhapsOwner === wide)
        try change(host, ".weakly", "nil")
        try change(host, ".perhapsOwner", "nil")
        #expect(host.weakly == nil && host.perhapsOwner == nil)
        let misfit = #expect(throws: CommandFailure.self) { try set(".cover", "#7", host) }
        #expect(misfit?.message.contains("is a Kinds") == true, "\(misfit as Any)")
        #expect(refusal(host, ".photo", "nil")?.code == .wrongType)
        #expect(refusal(host, ".owner", "nil")?.code == .wrongType)
        #expect(host.cover === photo)
    }

    @Test("weak and unowned references hold as much as the compiler's own would")
    func counts() throws {
        weak var gone: Kinds.Photo?
        do {
            let photo = Kinds.Photo()
            gone = photo
            try set(".weakly", "#7", photo)
            try set(".owner", "#7", photo)
            try set(".owner", "#7", host.kept)
            #expect(host.weakly === photo)
        }
        #expect(gone == nil && host.weakly == nil && host.owner === host.kept)
    }

    @Test("a value that is only previewed is checked and stays")
    func previews() throws {
        let path = try ValuePath(parsing: "host.list").components
        let writer = changingWriter()
        func previewed(_ text: String) throws -> ChangePreview {
            let edit = ValueEdit.assign(TypedText(text))
            return try turns(of: edit) {
                try writer.preview(.object(host), rootName: "host", path: path, edit)
            }
        }
        let preview = try previewed("[5]")
        #expect(preview.oldText == "[1, 2, 3, 4]" && preview.newText == "[5]")
        #expect(host.list == [1, 2, 3, 4])
        let refused = #expect(throws: CommandFailure.self) { try previewed("[true]") }
        #expect(refused?.code == .wrongType)
    }
}

@Suite("Operations on collections, texts and Bools")
struct ChangingOperationTests {
    private let host = Kinds()

    private func call(
        _ path: String, _ operation: ValueOperation, _ arguments: String = ""
    ) throws -> PerformedChange {
        try edit(host, path, .operation(operation, TypedText(argumentsOf: arguments)))
    }

    @Test("do what Swift's do; each is put back")
    func operations() throws {
        let calls: [(String, ValueOperation, String, () -> String, String)] = [
            (".list", .append, "5", { "\(host.list)" }, "[1, 2, 3, 4, 5]"),
            (".list", .append, "contentsOf: [5, 6]", { "\(host.list)" }, "[1, 2, 3, 4, 5, 6]"),
            (".list", .insert, "0, at: 1", { "\(host.list)" }, "[1, 0, 2, 3, 4]"),
            (
                ".list", .insert, "contentsOf: [8, 9], at: 4", { "\(host.list)" },
                "[1, 2, 3, 4, 8, 9]"
            ),
            (".list", .remove, "at: 0", { "\(host.list)" }, "[2, 3, 4]"),
            (".list", .removeAll, "", { "\(host.list)" }, "[]"),
            (".list", .removeFirst, "2", { "\(host.list)" }, "[3, 4]"),
            (".list", .removeLast, "", { "\(host.list)" }, "[1, 2, 3]"),
            (".list", .swapAt, "0, 3", { "\(host.list)" }, "[4, 2, 3, 1]"),
            (".list", .swap, "1, 2", { "\(host.list)" }, "[1, 3, 2, 4]"),
            (".names", .insert, "\"b\"", { "\(host.names.sorted())" }, "[\"a\", \"b\"]"),
            (".names", .remove, "\"a\"", { "\(host.names)" }, "[]"),
            (".sizes", .updateValue, "2, forKey: \"b\"", { "\(host.sizes.count)" }, "2"),
            (".sizes", .removeValue, "forKey: \"a\"", { "\(host.sizes)" }, "[:]"),
            (".text", .append, "\"c\"", { host.text }, "abc"),
            (".flag", .toggle, "", { "\(host.flag)" }, "true"),
        ]
        for (path, operation, arguments, shown, expected) in calls {
            let (before, list) = (shown(), host.list)
            let change = try call(path, operation, arguments)
            #expect(shown() == expected, "\(path).\(operation.rawValue)(\(arguments))")
            // Other owners of the same storage keep their values.
            #expect(list == [1, 2, 3, 4])
            _ = try changingWriter().undo(change, root: .object(host))
            #expect(shown() == before, "\(path).\(operation.rawValue)(\(arguments))")
        }
    }

    @Test("are refused where Swift's would trap or do nothing")
    func refusals() {
        host.maybeList = nil
        let calls: [(String, ValueOperation, String, String)] = [
            (".list", .insert, "1, at: 5", "0 to 4"), (".list", .remove, "at: 4", "0 to 3"),
            (".list", .remove, "at: -1", "0 to 3"), (".list", .swapAt, "0, 4", "0 to 3"),
            (".list", .append, "true", "is an Int"), (".list", .remove, "2", "no `remove`"),
            (".list", .removeFirst, "5", "0 to 4"), (".names", .remove, "\"z\"", "no such element"),
            (".names", .insert, "\"a\"", "already"),
            (".sizes", .removeValue, "forKey: \"z\"", "no such key"),
            (".flag", .append, "1", "no `append`"), (".text", .toggle, "", "no `toggle`"),
            (".maybeList", .append, "1", "is nil"), (".point", .removeAll, "", "no `removeAll`"),
        ]
        for (path, operation, arguments, words) in calls {
            let failure = #expect(throws: CommandFailure.self) {
                try call(path, operation, arguments)
            }
            #expect(failure?.message.contains(words) == true, "\(failure as Any)")
        }
        #expect(host.list == [1, 2, 3, 4] && host.names == ["a"] && host.sizes == ["a": 1])
    }
}
#endif
