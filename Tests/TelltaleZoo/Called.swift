package import Foundation

/// Methods called by their symbol alone: of every convention, each of which notes its arguments.
package class Called: CalledBase {
    package struct Small: Equatable, Sendable {
        package var a: UInt8, b: UInt16, c: UInt32
        package init(a: UInt8, b: UInt16, c: UInt32) { (self.a, self.b, self.c) = (a, b, c) }
    }
    package struct Odd: Equatable, Sendable {
        package var a: UInt8, b: UInt8, c: UInt8
    }
    package struct Point: Equatable, Sendable {
        package var x: Double, y: Double
        package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
    }
    package struct Mixed: Equatable, Sendable {
        package var count: Int, ratio: Double, flag: Bool, single: Float
    }
    package struct Texts: Equatable, Sendable {
        package var first: String, second: String
    }
    package struct Large: Equatable, Sendable {
        package var a = 1, b = 2, c = 3, d = 4, e = 5, f = "six"
    }
    package struct Floats: Equatable, Sendable {
        package var a: Float, b: Float, c: Float
    }
    package enum Mood: Equatable, Sendable { case calm, busy, lost }
    package enum State: Equatable, Sendable {
        case none, number(Int), text(String), both(UInt8, Bool)
    }
    package enum Failure: Error, Equatable { case bad(Int) }

    package internal(set) var value = 0

    package func none() { note() }
    package func int(_ a: Int) -> Int { note(a); return a + 1 }
    package func int8(_ a: Int8, _ b: UInt8) -> Int8 { note(a, b); return a - 1 }
    package func int16(_ a: Int16, _ b: UInt16) -> UInt16 { note(a, b); return b + 1 }
    package func int32(_ a: Int32, _ b: UInt32) -> Int32 { note(a, b); return -a }
    package func int64(_ a: Int64, _ b: UInt64) -> UInt64 { note(a, b); return b }
    package func bool(_ a: Bool, _ b: Bool) -> Bool { note(a, b); return a && !b }
    package func double(_ a: Double) -> Double { note(a); return a * 2 }
    package func float(_ a: Float, _ b: Float) -> Float { note(a, b); return a + b }
    package func text(_ a: String) -> String { note(a); return a + "!" }
    package func labels(a: Int, b: String, _ c: Bool) -> Int { note(a, b, c); return a }
    package func mixed(_ a: Int, _ b: Double, _ c: String, _ d: Float, _ e: Bool) -> Double {
        note(a, b, c, d, e)
        return b + Double(a)
    }
    package func seven(
        _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int
    ) -> Int {
        note(a, b, c, d, e, f, g)
        return a + g
    }
    package func many(
        _ a: String, _ b: String, _ c: String, _ d: String, _ e: UInt8, _ f: Bool
    ) -> String {
        note(a, b, c, d, e, f)
        return a + d
    }
    package func doubles(
        _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double,
        _ g: Double, _ h: Double, _ i: Double, _ j: Double
    ) -> Double {
        note(a, b, c, d, e, f, g, h, i, j)
        return i + j
    }
    package func spread(
        _ a: Int, _ b: Double, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: UInt8,
        _ i: String
    ) -> Int {
        note(a, b, c, d, e, f, g, h, i)
        return Int(h)
    }
    package func maybeInt(_ a: Int?) -> Int? { note(a as Any); return a.map { $0 + 1 } }
    package func maybeByte(_ a: UInt8?, _ b: Bool?) -> UInt8? { note(a as Any, b as Any); return a }
    package func maybeShort(_ a: Int16?, _ b: Int32?) -> Int32? {
        note(a as Any, b as Any)
        return b
    }
    package func maybeText(_ a: String?) -> String? { note(a as Any); return a.map { $0 + "?" } }
    package func maybeDouble(_ a: Double?) -> Double? { note(a as Any); return a }
    package func maybeFloat(_ a: Float?) -> Float? { note(a as Any); return a }
    package func maybePoint(_ a: Point?) -> Point? { note(a as Any); return a }
    package func twice(_ a: Int??) -> Int?? { note(a as Any); return a }
    package func point(_ a: Point) -> Point { note(a); return Point(x: a.y, y: a.x) }
    package func small(_ a: Small) -> Small { note(a); return a }
    package func mixedStruct(_ a: Mixed) -> Mixed { note(a); return a }
    package func texts(_ a: Texts) -> Texts { note(a); return a }
    package func large(_ a: Large) -> Large { note(a); return a }
    package func floats(_ a: Floats) -> Floats { note(a); return a }
    package func odd(_ a: Odd, _ b: (Int, Odd)) -> Odd {
        note(a, b)
        return b.1
    }
    package func mood(_ a: Mood) -> Mood { note(a); return a }
    package func state(_ a: State) -> State { note(a); return a }
    package func maybeMood(_ a: Mood?) -> Mood? { note(a as Any); return a }
    package func array(_ a: [Int]) -> [String] { note(a); return a.map { "\($0)" } }
    package func table(_ a: [String: Int]) -> Int { note(a.count); return a.values.reduce(0, +) }
    package func set(_ a: Set<Int>) -> Int { note(a.sorted()); return a.count }
    package func tuple(_ a: (UInt8, UInt8), _ b: Int) -> (Int, String) {
        note(a.0, a.1, b)
        return (b, "t")
    }
    package func numbers() -> (Double, Double, Int) { note(); return (1.5, 2.5, 3) }
    package func owned(_ a: __owned String) -> Int { note(a); return a.count }
    package func consumed(_ a: consuming [Int]) -> Int {
        note(a)
        a.append(1)
        return a.count
    }
    package func borrowed(_ a: borrowing String) -> Int { note(copy a); return 1 }
    package func same(_ a: CalledBase) -> CalledBase { note(a.name); return a }
    package func perhaps(_ a: CalledBase?) -> CalledBase? { note(a?.name as Any); return a }
    package func made() -> CalledBase { note(); return CalledBase(name: "made") }
    package func failing(_ a: Int) throws -> Int {
        note(a)
        if a < 0 { throw Failure.bad(a) }
        return a
    }
    package func failingLarge(_ a: Int) throws -> Large {
        note(a)
        if a < 0 { throw Failure.bad(a) }
        return Large(a: a)
    }
    package func failingText(_ a: String) throws -> String { note(a); throw Failure.bad(a.count) }
    package final func last(_ a: Int) -> Int { note(a); return a }
    package func date(_ a: Date) -> Date { note(a.timeIntervalSince1970); return a }
    package func identifier(_ a: UUID) -> UUID { note(a); return a }
    package func duration(_ a: Duration) -> Duration { note(a); return a }
    package func character(_ a: Character) -> Character { note(a); return a }
    override package func overridden() -> String { note("derived"); return "derived" }
    package func frames() -> Int { Thread.callStackReturnAddresses.count }
    package func caught() -> Bool { note(); return (try? failing(-1)) == nil }

    // Methods that can't be called.
    package func generic<T>(_ a: T) {}
    package func changing(_ a: inout Int) {}
    package func closure(_ a: () -> Int) {}
    package func existential(_ a: Any) {}
    package func variadic(_ a: Int...) {}
    package func typed() throws(Failure) {}
    package func itself() -> Self { self }
    package static func fixed(_ a: Int) -> Int { a }

    package static func later(_ a: Int, named name: String) async -> String {
        await Task.yield()
        return "\(self) \(a) \(name)"
    }
    package static func laterFailing(_ a: Int) async throws -> Int {
        await Task.yield()
        if a < 0 { throw Failure.bad(a) }
        return a * 2
    }
    package static func laterNumber(_ a: Double, _ b: Int) async -> Double {
        await Task.yield()
        return a * Double(b)
    }
    package static func laterNumberFailing(_ a: Double) async throws -> Double {
        await Task.yield()
        if a < 0 { throw Failure.bad(0) }
        return a * 2
    }
    package static func laterPair(_ a: Int, _ b: Double) async -> (Int, Double) {
        await Task.yield()
        return (a + 1, b * 2)
    }
    package static func laterPairFailing(_ a: Int, _ b: Double) async throws -> (Int, Double) {
        await Task.yield()
        if a < 0 { throw Failure.bad(a) }
        return (a + 1, b * 2)
    }
    package static func laterFresh(_ a: Int) async -> Large {
        await Task.yield()
        return Large(a: a)
    }
    @MainActor package static func laterOnMain() async -> Bool {
        await Task.yield()
        MainActor.assertIsolated()
        return true
    }

    package var observed = 1 {
        willSet { note("will", newValue) }
        didSet { note("did", oldValue, observed) }
    }
    package var observedText = "a" { didSet { note("did", oldValue, observedText) } }
    package var computed: Int {
        get { value * 2 }
        set { note(newValue); value = newValue / 2 }
    }
    package var failingGetter: Int { get throws { throw Failure.bad(7) } }
    package var largeGetter: Large { Large(a: value) }

    // Async ones.
    package func later(_ a: Int) async -> Int { note(a); await Task.yield(); return a + 1 }
    package func laterText(_ a: String, _ b: Double) async throws -> String {
        await Task.yield()
        note(a, b)
        if a.isEmpty { throw Failure.bad(0) }
        return a + "\(b)"
    }
    package func laterPoint(_ a: Point) async -> Point { note(a); return a }
    package func laterLarge(_ a: Large) async -> Large { note(a); return a }
    package func laterMixed(_ a: Mixed) async -> Mixed { note(a); return a }
    package func laterNothing() async throws { note() }
    package nonisolated(nonsending) func sending(_ a: Int) async -> Int { note(a); return a }
}

package class CalledBase {
    package let name: String
    private let notes = Locked()
    package init(name: String) { self.name = name }

    package func inherited(_ a: Int) -> Int { note(a); return a * 3 }
    package func overridden() -> String { note("base"); return "base" }

    func note(_ values: Any..., function: StaticString = #function) {
        notes.add("\(function) " + values.map { "\($0)" }.joined(separator: " "))
    }

    /// Returns the notes since the last call.
    package func taken() -> [String] { notes.take() }

    private final class Locked: @unchecked Sendable {
        private let lock = NSLock()
        private var notes: [String] = []
        func add(_ note: String) { lock.withLock { notes.append(note) } }
        func take() -> [String] {
            lock.withLock {
                defer { notes = [] }
                return notes
            }
        }
    }
}

/// A struct of plain bytes with methods.
package struct CalledPoint: Sendable {
    package var x = 1.0, y = 2.0, count = 3
    package init() {}
    package func length(times: Double) -> Double { (x + y) * times }
    package func sum(_ a: Int) -> Int { count + a }
    package mutating func move(by distance: Double) { x += distance; y -= distance }
    package mutating func add(_ a: Int, _ b: Int) -> Int { count += a + b; return count }
}

/// The same with more than registers hold.
package struct CalledBlock: Sendable {
    package var a = 1, b = 2, c = 3, d = 4, e = 5, f = 6
    package init() {}
    package func sum(_ more: Int) -> Int { a + b + c + d + e + f + more }
    package mutating func set(_ value: Int) { (a, f) = (value, value) }
}

package actor CalledActor {
    package private(set) var total = 0
    package private(set) var isWrong = false
    package init() {}
    package func add(_ amount: Int) -> Int {
        assumeIsolated { $0.total += amount }
        return total
    }
    package func addLater(_ amount: Int) async -> Int {
        await Task.yield()
        total += amount
        return total
    }
    package nonisolated func outside(_ a: Int) -> Int { a }
}
