#if TELLTALE_AGENT
/// What an async function is called on.
enum AsyncReceiver {
    case object(AnyObject)
    /// A type, by the word that its static methods have for `self`.
    case type(UInt)
}

/// The arguments of an async function, as far as registers hold them. A class, so that it is one word wherever it is
/// passed.
final class AsyncRegisters: Sendable {
    let a: Int, b: Int, c: Int, d: Int, e: Int, f: Int
    let m: Double, n: Double, o: Double, p: Double, q: Double, r: Double, s: Double, t: Double

    init(integers: [UInt64], floats: [UInt64]) {
        let words = (0..<6).map { index in
            index < integers.count ? Int(bitPattern: UInt(integers[index])) : 0
        }
        let numbers = (0..<8).map { index in
            Double(bitPattern: index < floats.count ? floats[index] : 0)
        }
        (a, b, c, d, e, f) = (words[0], words[1], words[2], words[3], words[4], words[5])
        (m, n, o, p) = (numbers[0], numbers[1], numbers[2], numbers[3])
        (q, r, s, t) = (numbers[4], numbers[5], numbers[6], numbers[7])
    }
}

/// A shape of async functions: what they give, and whether they throw. What throws gets its error in a register
/// that the others leave as it is.
///
/// In a struct a closure keeps its natural convention: each word of its own in a register of its own. An object is
/// held by the closure of which it is the context. A class is no object whose references are counted: it is the
/// context of a closure that is lent to a function which doesn't let it escape, and for that one no reference is
/// taken. The function's own two words are passed to it as such. An object's isn't lent: who it is lent to would
/// leave its actor first.
///
/// Each shape is written out: in a generic one the closure would have the convention of generic code.
private enum AsyncShape {
    static func load<Box>(_: Box.Type, _ record: UInt, _ object: AnyObject) -> Box {
        withUnsafeBytes(of: (record, object)) { $0.load(as: Box.self) }
    }
}

private typealias D = Double

struct AsyncWords {
    private typealias Function =
        (Int, Int, Int, Int, Int, Int, D, D, D, D, D, D, D, D) async -> (Int, Int, Int, Int)

    private struct Held { let function: Function }
    private struct Lending {
        let call: (Function, AsyncRegisters) async -> (Int, Int, Int, Int) = {
            await $0(
                $1.a, $1.b, $1.c, $1.d, $1.e, $1.f, $1.m, $1.n, $1.o, $1.p, $1.q, $1.r, $1.s, $1.t)
        }
    }
    private struct Lent { let call: (UInt, UInt, AsyncRegisters) async -> (Int, Int, Int, Int) }

    static func call(
        _ record: UInt, _ receiver: AsyncReceiver, _ registers: AsyncRegisters,
        isolation: isolated (any Actor)? = #isolation
    ) async -> (Int, Int, Int, Int) {
        switch receiver {
        case .object(let object):
            let held = AsyncShape.load(Held.self, record, object)
            let from = registers
            return await held.function(
                from.a, from.b, from.c, from.d, from.e, from.f, from.m, from.n, from.o, from.p,
                from.q, from.r, from.s, from.t)
        case .type(let word):
            let lent = unsafeBitCast(Lending(), to: Lent.self)
            return await lent.call(record, word, registers)
        }
    }
}

struct AsyncWordsThrowing {
    private typealias Function =
        (Int, Int, Int, Int, Int, Int, D, D, D, D, D, D, D, D) async throws -> (Int, Int, Int, Int)

    private struct Held { let function: Function }
    private struct Lending {
        let call: (Function, AsyncRegisters) async throws -> (Int, Int, Int, Int) = {
            try await $0(
                $1.a, $1.b, $1.c, $1.d, $1.e, $1.f, $1.m, $1.n, $1.o, $1.p, $1.q, $1.r, $1.s, $1.t)
        }
    }
    private struct Lent {
        let call: (UInt, UInt, AsyncRegisters) async throws -> (Int, Int, Int, Int)
    }

    static func call(
        _ record: UInt, _ receiver: AsyncReceiver, _ registers: AsyncRegisters,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> (Int, Int, Int, Int) {
        switch receiver {
        case .object(let object):
            let held = AsyncShape.load(Held.self, record, object)
            let from = registers
            return try await held.function(
                from.a, from.b, from.c, from.d, from.e, from.f, from.m, from.n, from.o, from.p,
                from.q, from.r, from.s, from.t)
        case .type(let word):
            let lent = unsafeBitCast(Lending(), to: Lent.self)
            return try await lent.call(record, word, registers)
        }
    }
}

struct AsyncNumbers {
    private typealias Function =
        (Int, Int, Int, Int, Int, Int, D, D, D, D, D, D, D, D) async -> (
            Double, Double, Double, Double
        )

    private struct Held { let function: Function }
    private struct Lending {
        let call: (Function, AsyncRegisters) async -> (Double, Double, Double, Double) = {
            await $0(
                $1.a, $1.b, $1.c, $1.d, $1.e, $1.f, $1.m, $1.n, $1.o, $1.p, $1.q, $1.r, $1.s, $1.t)
        }
    }
    private struct Lent {
        let call: (UInt, UInt, AsyncRegisters) async -> (Double, Double, Double, Double)
    }

    static func call(
        _ record: UInt, _ receiver: AsyncReceiver, _ registers: AsyncRegisters,
        isolation: isolated (any Actor)? = #isolation
    ) async -> (Double, Double, Double, Double) {
        switch receiver {
        case .object(let object):
            let held = AsyncShape.load(Held.self, record, object)
            let from = registers
            return await held.function(
                from.a, from.b, from.c, from.d, from.e, from.f, from.m, from.n, from.o, from.p,
                from.q, from.r, from.s, from.t)
        case .type(let word):
            let lent = unsafeBitCast(Lending(), to: Lent.self)
            return await lent.call(record, word, registers)
        }
    }
}

struct AsyncNumbersThrowing {
    private typealias Function =
        (Int, Int, Int, Int, Int, Int, D, D, D, D, D, D, D, D) async throws -> (
            Double, Double, Double, Double
        )

    private struct Held { let function: Function }
    private struct Lending {
        let call: (Function, AsyncRegisters) async throws -> (Double, Double, Double, Double) = {
            try await $0(
                $1.a, $1.b, $1.c, $1.d, $1.e, $1.f, $1.m, $1.n, $1.o, $1.p, $1.q, $1.r, $1.s, $1.t)
        }
    }
    private struct Lent {
        let call: (UInt, UInt, AsyncRegisters) async throws -> (Double, Double, Double, Double)
    }

    static func call(
        _ record: UInt, _ receiver: AsyncReceiver, _ registers: AsyncRegisters,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> (Double, Double, Double, Double) {
        switch receiver {
        case .object(let object):
            let held = AsyncShape.load(Held.self, record, object)
            let from = registers
            return try await held.function(
                from.a, from.b, from.c, from.d, from.e, from.f, from.m, from.n, from.o, from.p,
                from.q, from.r, from.s, from.t)
        case .type(let word):
            let lent = unsafeBitCast(Lending(), to: Lent.self)
            return try await lent.call(record, word, registers)
        }
    }
}

struct AsyncMixed {
    private typealias Function =
        (Int, Int, Int, Int, Int, Int, D, D, D, D, D, D, D, D) async -> (Int, Int, Double, Double)

    private struct Held { let function: Function }
    private struct Lending {
        let call: (Function, AsyncRegisters) async -> (Int, Int, Double, Double) = {
            await $0(
                $1.a, $1.b, $1.c, $1.d, $1.e, $1.f, $1.m, $1.n, $1.o, $1.p, $1.q, $1.r, $1.s, $1.t)
        }
    }
    private struct Lent {
        let call: (UInt, UInt, AsyncRegisters) async -> (Int, Int, Double, Double)
    }

    static func call(
        _ record: UInt, _ receiver: AsyncReceiver, _ registers: AsyncRegisters,
        isolation: isolated (any Actor)? = #isolation
    ) async -> (Int, Int, Double, Double) {
        switch receiver {
        case .object(let object):
            let held = AsyncShape.load(Held.self, record, object)
            let from = registers
            return await held.function(
                from.a, from.b, from.c, from.d, from.e, from.f, from.m, from.n, from.o, from.p,
                from.q, from.r, from.s, from.t)
        case .type(let word):
            let lent = unsafeBitCast(Lending(), to: Lent.self)
            return await lent.call(record, word, registers)
        }
    }
}

struct AsyncMixedThrowing {
    private typealias Function =
        (Int, Int, Int, Int, Int, Int, D, D, D, D, D, D, D, D) async throws -> (
            Int, Int, Double, Double
        )

    private struct Held { let function: Function }
    private struct Lending {
        let call: (Function, AsyncRegisters) async throws -> (Int, Int, Double, Double) = {
            try await $0(
                $1.a, $1.b, $1.c, $1.d, $1.e, $1.f, $1.m, $1.n, $1.o, $1.p, $1.q, $1.r, $1.s, $1.t)
        }
    }
    private struct Lent {
        let call: (UInt, UInt, AsyncRegisters) async throws -> (Int, Int, Double, Double)
    }

    static func call(
        _ record: UInt, _ receiver: AsyncReceiver, _ registers: AsyncRegisters,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> (Int, Int, Double, Double) {
        switch receiver {
        case .object(let object):
            let held = AsyncShape.load(Held.self, record, object)
            let from = registers
            return try await held.function(
                from.a, from.b, from.c, from.d, from.e, from.f, from.m, from.n, from.o, from.p,
                from.q, from.r, from.s, from.t)
        case .type(let word):
            let lent = unsafeBitCast(Lending(), to: Lent.self)
            return try await lent.call(record, word, registers)
        }
    }
}
#endif
