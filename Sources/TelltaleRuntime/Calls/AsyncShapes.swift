#if TELLTALE_AGENT
/// The receiver (`self`) of a call of an async function.
package enum AsyncReceiver {
    case object(AnyObject)
    /// A type, as the word that its static methods receive as `self`.
    case type(UInt)

    var word: UInt {
        switch self {
        case .object(let object): UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        case .type(let word): word
        }
    }
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

// Calls of async functions by their records. A shape is the combination of result registers and `throws`: a
// throwing function returns its error in a register that other functions leave untouched.
//
// In a struct, a closure keeps its natural calling convention: each word is in a register of its own. The
// receiver is the context of a closure that is passed to a function which does not let it escape. No reference
// is taken for such a closure, and a class receiver isn't reference-counted. Its two words (function record,
// context) are passed as they are. The function that takes the closure doesn't leave its caller's actor.
//
// Each shape is written out: in a generic shape, the closure would have the convention of generic code.

private typealias D = Double
typealias AsyncWords = (Int, Int, Int, Int)
typealias AsyncNumbers = (Double, Double, Double, Double)
typealias AsyncMixed = (Int, Int, Double, Double)

private typealias Plain<Result> =
    (Int, Int, Int, Int, Int, Int, D, D, D, D, D, D, D, D) async -> Result
private typealias Throwing<Result> =
    (Int, Int, Int, Int, Int, Int, D, D, D, D, D, D, D, D) async throws -> Result

/// Calls the function of a record on a receiver's word; the receiver must outlive the call.
typealias AsyncCall<Result> =
    nonisolated(nonsending) (UInt, UInt, AsyncRegisters) async -> Result
typealias AsyncThrowingCall<Result> =
    nonisolated(nonsending) (UInt, UInt, AsyncRegisters) async throws -> Result

private typealias Lender<Result> =
    nonisolated(nonsending) (Plain<Result>, AsyncRegisters) async -> Result
private typealias ThrowingLender<Result> =
    nonisolated(nonsending) (Throwing<Result>, AsyncRegisters) async throws -> Result

enum AsyncShape {
    private struct Words {
        let call: Lender<AsyncWords> = {
            await $0(
                $1.a, $1.b, $1.c, $1.d, $1.e, $1.f, $1.m, $1.n, $1.o, $1.p, $1.q, $1.r, $1.s, $1.t)
        }
    }
    private struct LentWords { let call: AsyncCall<AsyncWords> }
    static var words: AsyncCall<AsyncWords> { unsafeBitCast(Words(), to: LentWords.self).call }

    private struct ThrowingWords {
        let call: ThrowingLender<AsyncWords> = {
            try await $0(
                $1.a, $1.b, $1.c, $1.d, $1.e, $1.f, $1.m, $1.n, $1.o, $1.p, $1.q, $1.r, $1.s, $1.t)
        }
    }
    private struct LentThrowingWords { let call: AsyncThrowingCall<AsyncWords> }
    static var throwingWords: AsyncThrowingCall<AsyncWords> {
        unsafeBitCast(ThrowingWords(), to: LentThrowingWords.self).call
    }

    private struct Numbers {
        let call: Lender<AsyncNumbers> = {
            await $0(
                $1.a, $1.b, $1.c, $1.d, $1.e, $1.f, $1.m, $1.n, $1.o, $1.p, $1.q, $1.r, $1.s, $1.t)
        }
    }
    private struct LentNumbers { let call: AsyncCall<AsyncNumbers> }
    static var numbers: AsyncCall<AsyncNumbers> {
        unsafeBitCast(Numbers(), to: LentNumbers.self).call
    }

    private struct ThrowingNumbers {
        let call: ThrowingLender<AsyncNumbers> = {
            try await $0(
                $1.a, $1.b, $1.c, $1.d, $1.e, $1.f, $1.m, $1.n, $1.o, $1.p, $1.q, $1.r, $1.s, $1.t)
        }
    }
    private struct LentThrowingNumbers { let call: AsyncThrowingCall<AsyncNumbers> }
    static var throwingNumbers: AsyncThrowingCall<AsyncNumbers> {
        unsafeBitCast(ThrowingNumbers(), to: LentThrowingNumbers.self).call
    }

    private struct Mixed {
        let call: Lender<AsyncMixed> = {
            await $0(
                $1.a, $1.b, $1.c, $1.d, $1.e, $1.f, $1.m, $1.n, $1.o, $1.p, $1.q, $1.r, $1.s, $1.t)
        }
    }
    private struct LentMixed { let call: AsyncCall<AsyncMixed> }
    static var mixed: AsyncCall<AsyncMixed> { unsafeBitCast(Mixed(), to: LentMixed.self).call }

    private struct ThrowingMixed {
        let call: ThrowingLender<AsyncMixed> = {
            try await $0(
                $1.a, $1.b, $1.c, $1.d, $1.e, $1.f, $1.m, $1.n, $1.o, $1.p, $1.q, $1.r, $1.s, $1.t)
        }
    }
    private struct LentThrowingMixed { let call: AsyncThrowingCall<AsyncMixed> }
    static var throwingMixed: AsyncThrowingCall<AsyncMixed> {
        unsafeBitCast(ThrowingMixed(), to: LentThrowingMixed.self).call
    }
}
#endif
