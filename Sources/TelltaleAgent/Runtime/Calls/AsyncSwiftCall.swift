#if TELLTALE_AGENT
/// A call of an async method that is known by its symbol alone.
///
/// A method's `self` and a closure's context go through the same register, so that the two make a closure, of
/// which the compiler itself makes the call. Registers that the method doesn't read are harmless, and a result
/// that is not in registers goes to an address that is the first argument.
struct AsyncSwiftCall: @unchecked Sendable {  // one task at a time has it
    private var call: SwiftCall
    private let place: UnsafeMutableRawPointer
    private let result: PassedType

    /// Makes the call from its arguments; nil where a value is not of its type.
    init?(_ values: [Any], _ callability: MethodCallability) {
        result = callability.result
        let metadata = TypeMetadata(result.type)
        place = .allocate(
            byteCount: max(metadata.size, 64), alignment: Int(metadata.alignmentMask | 7) + 1)
        call = SwiftCall()
        if result.isIndirect { call.addInteger(UInt64(UInt(bitPattern: place))) }
        for (value, parameter) in zip(values, callability.parameters) {
            guard call.add(value, as: parameter) else {
                call.end(wasCalled: false)
                place.deallocate()
                return nil
            }
        }
    }

    /// Calls the function of an async function's record on an object. To be called once.
    func run(
        _ record: UInt, on object: AnyObject, throws canThrow: Bool,
        isolation: isolated (any Actor)? = #isolation
    ) async -> SwiftCall.Outcome {
        defer { place.deallocate() }
        let outcome: SwiftCall.Outcome
        do {
            let (integers, floats) = try await registers(record, object, canThrow)
            if !result.isIndirect {
                SwiftCall.store(result, at: place, integers: integers, floats: floats)
            }
            outcome =
                result.type == Void.self
                ? .returned(nil) : .returned(.some(TypedMemory.take(result.type, at: place)))
        } catch {
            outcome = .threw(error)
        }
        call.end(wasCalled: true)
        return outcome
    }

    /// Lets go of the arguments of a call that never began.
    func withdraw() {
        call.end(wasCalled: false)
        place.deallocate()
    }

    private func registers(
        _ record: UInt, _ object: AnyObject, _ canThrow: Bool,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> (integers: [UInt64], floats: [UInt64]) {
        let floats = result.isIndirect ? 0 : result.parts.count(where: \.isFloat)
        let words = (0..<6).map { index in
            index < call.integers.count ? Int(bitPattern: UInt(call.integers[index])) : 0
        }
        let numbers = (0..<8).map { index in
            Double(bitPattern: index < call.floats.count ? call.floats[index] : 0)
        }
        let (a, b, c, d, e, f) = (words[0], words[1], words[2], words[3], words[4], words[5])
        let (m, n, o, p) = (numbers[0], numbers[1], numbers[2], numbers[3])
        let (q, r, s, t) = (numbers[4], numbers[5], numbers[6], numbers[7])
        if floats == 0 {
            let four: (Int, Int, Int, Int)
            if canThrow {
                let box = Self.load(WordsThrowing.self, record, object)
                four = try await box.function(a, b, c, d, e, f, m, n, o, p, q, r, s, t)
            } else {
                let box = Self.load(Words.self, record, object)
                four = await box.function(a, b, c, d, e, f, m, n, o, p, q, r, s, t)
            }
            return (Self.bits([four.0, four.1, four.2, four.3]), [])
        }
        if floats == result.parts.count {
            let four: (Double, Double, Double, Double)
            if canThrow {
                let box = Self.load(NumbersThrowing.self, record, object)
                four = try await box.function(a, b, c, d, e, f, m, n, o, p, q, r, s, t)
            } else {
                let box = Self.load(Numbers.self, record, object)
                four = await box.function(a, b, c, d, e, f, m, n, o, p, q, r, s, t)
            }
            return ([], [four.0, four.1, four.2, four.3].map(\.bitPattern))
        }
        let four: (Int, Int, Double, Double)
        if canThrow {
            let box = Self.load(MixedThrowing.self, record, object)
            four = try await box.function(a, b, c, d, e, f, m, n, o, p, q, r, s, t)
        } else {
            let box = Self.load(Mixed.self, record, object)
            four = await box.function(a, b, c, d, e, f, m, n, o, p, q, r, s, t)
        }
        return (Self.bits([four.0, four.1]), [four.2, four.3].map(\.bitPattern))
    }

    private static func bits(_ words: [Int]) -> [UInt64] {
        words.map { UInt64(UInt(bitPattern: $0)) }
    }

    /// A closure out of a function's record and an object, which it holds.
    private static func load<Box>(_: Box.Type, _ record: UInt, _ object: AnyObject) -> Box {
        withUnsafeBytes(of: (record, object)) { $0.load(as: Box.self) }
    }
}

// In a struct a closure keeps its natural convention: each word of its own in a register of its own. What throws
// gets its error in a register that the others leave as it is.
private typealias D = Double

private struct Words {
    let function:
        (Int, Int, Int, Int, Int, Int, D, D, D, D, D, D, D, D) async -> (Int, Int, Int, Int)
}

private struct WordsThrowing {
    let function:
        (Int, Int, Int, Int, Int, Int, D, D, D, D, D, D, D, D) async throws -> (
            Int, Int, Int, Int
        )
}

private struct Numbers {
    let function: (Int, Int, Int, Int, Int, Int, D, D, D, D, D, D, D, D) async -> (D, D, D, D)
}

private struct NumbersThrowing {
    let function:
        (Int, Int, Int, Int, Int, Int, D, D, D, D, D, D, D, D) async throws -> (D, D, D, D)
}

private struct Mixed {
    let function: (Int, Int, Int, Int, Int, Int, D, D, D, D, D, D, D, D) async -> (Int, Int, D, D)
}

private struct MixedThrowing {
    let function:
        (Int, Int, Int, Int, Int, Int, D, D, D, D, D, D, D, D) async throws -> (Int, Int, D, D)
}
#endif
