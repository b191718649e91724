import Foundation

/// One call: what it is given, and the same call as the compiler makes it.
package struct CalledCase {
    package let selector: String
    package let values: [Any]
    package let direct: (Called) async throws -> Any

    init(_ selector: String, _ values: [Any], _ direct: @escaping (Called) async throws -> Any) {
        self.selector = selector
        self.values = values
        self.direct = direct
    }
}

extension Called {
    package static func makeZoo() -> Called { Called(name: "zoo") }

    package static var cases: [CalledCase] { numberCases + valueCases + otherCases + asyncCases }

    private static var numberCases: [CalledCase] {
        [
            CalledCase("none()", []) { $0.none() },
            CalledCase("int(_:)", [-7]) { $0.int(-7) },
            CalledCase("int8(_:_:)", [Int8(-127), UInt8(255)]) { $0.int8(-127, 255) },
            CalledCase("int16(_:_:)", [Int16(-300), UInt16(65534)]) { $0.int16(-300, 65534) },
            CalledCase("int32(_:_:)", [Int32(-70000), UInt32.max]) { $0.int32(-70000, .max) },
            CalledCase("int64(_:_:)", [Int64.min, UInt64.max]) { $0.int64(.min, .max) },
            CalledCase("bool(_:_:)", [true, false]) { $0.bool(true, false) },
            CalledCase("bool(_:_:)", [true, true]) { $0.bool(true, true) },
            CalledCase("double(_:)", [1.25]) { $0.double(1.25) },
            CalledCase("float(_:_:)", [Float(1.5), Float(-0.25)]) { $0.float(1.5, -0.25) },
            CalledCase("text(_:)", ["short"]) { $0.text("short") },
            CalledCase("text(_:)", ["a text that needs memory of its own"]) {
                $0.text("a text that needs memory of its own")
            },
            CalledCase("labels(a:b:_:)", [3, "b", true]) { $0.labels(a: 3, b: "b", true) },
            CalledCase("mixed(_:_:_:_:_:)", [1, 2.5, "three", Float(4.5), true]) {
                $0.mixed(1, 2.5, "three", 4.5, true)
            },
            CalledCase("seven(_:_:_:_:_:_:_:)", [1, 2, 3, 4, 5, 6, 7]) {
                $0.seven(1, 2, 3, 4, 5, 6, 7)
            },
            CalledCase(
                "many(_:_:_:_:_:_:)", ["a", "b", "c", "a fourth of some length", UInt8(5), true]
            ) {
                $0.many("a", "b", "c", "a fourth of some length", 5, true)
            },
            CalledCase(
                "doubles(_:_:_:_:_:_:_:_:_:_:)",
                [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]
            ) { $0.doubles(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) },
            CalledCase(
                "spread(_:_:_:_:_:_:_:_:_:)", [1, 2.5, 3, 4, 5, 6, 7, UInt8(200), "nine"]
            ) { $0.spread(1, 2.5, 3, 4, 5, 6, 7, 200, "nine") },
            CalledCase("last(_:)", [12]) { $0.last(12) },
            CalledCase("inherited(_:)", [5]) { $0.inherited(5) },
            CalledCase("overridden()", []) { $0.overridden() },
        ]
    }

    private static var valueCases: [CalledCase] {
        let point = Point(x: 1.5, y: -2.5)
        let small = Small(a: 250, b: 60000, c: 4_000_000_000)
        let mixed = Mixed(count: -3, ratio: 0.5, flag: true, single: 7.5)
        let texts = Texts(first: "one", second: "a second text that is longer than most")
        let large = Large(a: 11, f: "a text at the end of a large struct")
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let identifier = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        return [
            CalledCase("maybeInt(_:)", [Int?.some(4) as Any]) { $0.maybeInt(4) as Any },
            CalledCase("maybeInt(_:)", [Int?.none as Any]) { $0.maybeInt(nil) as Any },
            CalledCase("maybeByte(_:_:)", [UInt8?.some(9) as Any, Bool?.some(true) as Any]) {
                $0.maybeByte(9, true) as Any
            },
            CalledCase("maybeByte(_:_:)", [UInt8?.none as Any, Bool?.none as Any]) {
                $0.maybeByte(nil, nil) as Any
            },
            CalledCase("maybeShort(_:_:)", [Int16?.some(-2) as Any, Int32?.some(77) as Any]) {
                $0.maybeShort(-2, 77) as Any
            },
            CalledCase("maybeText(_:)", [String?.some("x") as Any]) { $0.maybeText("x") as Any },
            CalledCase("maybeText(_:)", [String?.none as Any]) { $0.maybeText(nil) as Any },
            CalledCase("maybeDouble(_:)", [Double?.some(2.5) as Any]) {
                $0.maybeDouble(2.5) as Any
            },
            CalledCase("maybeFloat(_:)", [Float?.some(-1.5) as Any]) {
                $0.maybeFloat(-1.5) as Any
            },
            CalledCase("maybePoint(_:)", [Point?.some(point) as Any]) {
                $0.maybePoint(point) as Any
            },
            CalledCase("twice(_:)", [Int??.some(.none) as Any]) { $0.twice(.some(.none)) as Any },
            CalledCase("point(_:)", [point]) { $0.point(point) },
            CalledCase("small(_:)", [small]) { $0.small(small) },
            CalledCase("mixedStruct(_:)", [mixed]) { $0.mixedStruct(mixed) },
            CalledCase("texts(_:)", [texts]) { $0.texts(texts) },
            CalledCase("large(_:)", [large]) { $0.large(large) },
            CalledCase("floats(_:)", [Floats(a: 1, b: 2, c: 3)]) {
                $0.floats(Floats(a: 1, b: 2, c: 3))
            },
            CalledCase("odd(_:_:)", [Odd(a: 1, b: 2, c: 3), (4, Odd(a: 5, b: 6, c: 7))]) {
                $0.odd(Odd(a: 1, b: 2, c: 3), (4, Odd(a: 5, b: 6, c: 7)))
            },
            CalledCase("mood(_:)", [Mood.lost]) { $0.mood(.lost) },
            CalledCase("maybeMood(_:)", [Mood?.some(.busy) as Any]) { $0.maybeMood(.busy) as Any },
            CalledCase("state(_:)", [State.number(-5)]) { $0.state(.number(-5)) },
            CalledCase("state(_:)", [State.text("held")]) { $0.state(.text("held")) },
            CalledCase("state(_:)", [State.both(3, true)]) { $0.state(.both(3, true)) },
            CalledCase("state(_:)", [State.none]) { $0.state(.none) },
            CalledCase("array(_:)", [[1, 2, 3]]) { $0.array([1, 2, 3]) },
            CalledCase("table(_:)", [["a": 1, "b": 2]]) { $0.table(["a": 1, "b": 2]) },
            CalledCase("set(_:)", [Set([3, 1])]) { $0.set([3, 1]) },
            CalledCase("date(_:)", [date]) { $0.date(date) },
            CalledCase("identifier(_:)", [identifier]) { $0.identifier(identifier) },
            CalledCase("duration(_:)", [Duration.milliseconds(1500)]) {
                $0.duration(.milliseconds(1500))
            },
            CalledCase("character(_:)", [Character("é")]) { $0.character("é") },
        ]
    }

    private static var otherCases: [CalledCase] {
        let base = CalledBase(name: "other")
        return [
            CalledCase("tuple(_:_:)", [(UInt8(1), UInt8(2)), 3]) { $0.tuple((1, 2), 3) },
            CalledCase("numbers()", []) { $0.numbers() },
            CalledCase("owned(_:)", ["a text of more than fifteen bytes"]) {
                $0.owned("a text of more than fifteen bytes")
            },
            CalledCase("consumed(_:)", [[1, 2]]) { $0.consumed([1, 2]) },
            CalledCase("borrowed(_:)", ["lent, and longer than fifteen bytes"]) {
                $0.borrowed("lent, and longer than fifteen bytes")
            },
            CalledCase("same(_:)", [base]) { $0.same(base) },
            CalledCase("perhaps(_:)", [CalledBase?.some(base) as Any]) { $0.perhaps(base) as Any },
            CalledCase("perhaps(_:)", [CalledBase?.none as Any]) { $0.perhaps(nil) as Any },
            CalledCase("made()", []) { $0.made() },
            CalledCase("failing(_:)", [1]) { try $0.failing(1) },
            CalledCase("failing(_:)", [-1]) { try $0.failing(-1) },
            CalledCase("failingLarge(_:)", [2]) { try $0.failingLarge(2) },
            CalledCase("failingLarge(_:)", [-2]) { try $0.failingLarge(-2) },
            CalledCase("failingText(_:)", ["four"]) { try $0.failingText("four") },
            CalledCase("caught()", []) { $0.caught() },
        ]
    }

    /// The cases of async static methods.
    package static var staticCases: [CalledCase] {
        [
            CalledCase("later(_:named:)", [3, "x"]) { _ in await later(3, named: "x") },
            CalledCase("laterFailing(_:)", [4]) { _ in try await laterFailing(4) },
            CalledCase("laterFailing(_:)", [-4]) { _ in try await laterFailing(-4) },
            CalledCase("laterNumber(_:_:)", [1.5, 3]) { _ in await laterNumber(1.5, 3) },
            CalledCase("laterNumberFailing(_:)", [1.5]) { _ in try await laterNumberFailing(1.5) },
            CalledCase("laterNumberFailing(_:)", [-1.5]) { _ in try await laterNumberFailing(-1.5)
            },
            CalledCase("laterPair(_:_:)", [1, 2.5]) { _ in await laterPair(1, 2.5) },
            CalledCase("laterPairFailing(_:_:)", [1, 2.5]) { _ in try await laterPairFailing(1, 2.5)
            },
            CalledCase("laterPairFailing(_:_:)", [-1, 2.5]) { _ in
                try await laterPairFailing(-1, 2.5)
            },
            CalledCase("laterFresh(_:)", [9]) { _ in await laterFresh(9) },
            CalledCase("laterOnMain()", []) { _ in await laterOnMain() },
        ]
    }

    private static var asyncCases: [CalledCase] {
        let mixed = Mixed(count: 5, ratio: 1.5, flag: false, single: 2)
        return [
            CalledCase("later(_:)", [4]) { await $0.later(4) },
            CalledCase("laterText(_:_:)", ["later, in a text of some length", 2.5]) {
                try await $0.laterText("later, in a text of some length", 2.5)
            },
            CalledCase("laterText(_:_:)", ["", 0.5]) { try await $0.laterText("", 0.5) },
            CalledCase("laterPoint(_:)", [Point(x: 1, y: 2)]) {
                await $0.laterPoint(Point(x: 1, y: 2))
            },
            CalledCase("laterLarge(_:)", [Large()]) { await $0.laterLarge(Large()) },
            CalledCase("laterMixed(_:)", [mixed]) { await $0.laterMixed(mixed) },
            CalledCase("laterNothing()", []) { try await $0.laterNothing() },
        ]
    }
}
