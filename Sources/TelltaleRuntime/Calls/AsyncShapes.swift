#if TELLTALE_AGENT
/// The receiver (`self`) of a call of an async function.
package enum AsyncReceiver {
    case object(AnyObject)
    /// A type, as the word that its static methods receive as `self`.
    case type(UInt)
}

/// The register arguments of an async function. A class, so that it takes one register when it is passed
/// itself.
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

/// Loads closures for the shapes of async functions below. A shape is the combination of result registers
/// and `throws`. A throwing function returns its error in a register that other functions leave untouched.
///
/// In a struct, a closure keeps its natural calling convention: each word is in a register of its own. An
/// object receiver is the context of the closure and is retained by it. A class receiver is not
/// reference-counted. It is the context of a closure passed to a function that does not let it escape, and
/// no reference is taken for such a closure. Its two words (function record, context) are passed as they
/// are. An object receiver is not passed this way, because the function that takes the closure would first
/// leave the object's actor.
///
/// Each shape is written out: in a generic shape, the closure would have the convention of generic code.
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
