#if TELLTALE_AGENT
/// A call of an async method that is known by its symbol alone.
///
/// A method's `self` and a closure's context use the same register. So the function record and `self` form
/// a closure, and the compiler itself emits the call. Registers that the method does not read are harmless.
/// A result that is not returned in registers is written to the address in the first argument.
package struct AsyncSwiftCall: @unchecked Sendable {  // used by one task at a time
    private var call: SwiftCall
    private let place: UnsafeMutableRawPointer
    private let result: PassedType

    /// Prepares the call with its arguments; nil if a value is not of its parameter's type.
    package init?(_ values: [Any], _ callability: MethodCallability) {
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

    /// Calls the function of an async function record on an object or a type. Must be called only once.
    package func run(
        _ record: UInt, on receiver: AsyncReceiver, throws canThrow: Bool,
        isolation: isolated (any Actor)? = #isolation
    ) async -> SwiftCall.Outcome {
        defer { place.deallocate() }
        let outcome: SwiftCall.Outcome
        do {
            let (integers, floats) = try await registers(record, receiver, canThrow)
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

    /// Releases the arguments of a call that never began.
    func withdraw() {
        call.end(wasCalled: false)
        place.deallocate()
    }

    private func registers(
        _ record: UInt, _ receiver: AsyncReceiver, _ canThrow: Bool,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> (integers: [UInt64], floats: [UInt64]) {
        let floats = result.isIndirect ? 0 : result.parts.count(where: \.isFloat)
        let (word, registers) = (
            receiver.word, AsyncRegisters(integers: call.integers, floats: call.floats)
        )
        defer { withExtendedLifetime(receiver) {} }
        if floats == 0 {
            let four =
                canThrow
                ? try await AsyncShape.throwingWords(record, word, registers)
                : await AsyncShape.words(record, word, registers)
            return (Self.bits([four.0, four.1, four.2, four.3]), [])
        }
        if floats == result.parts.count {
            let four =
                canThrow
                ? try await AsyncShape.throwingNumbers(record, word, registers)
                : await AsyncShape.numbers(record, word, registers)
            return ([], [four.0, four.1, four.2, four.3].map(\.bitPattern))
        }
        let four =
            canThrow
            ? try await AsyncShape.throwingMixed(record, word, registers)
            : await AsyncShape.mixed(record, word, registers)
        return (Self.bits([four.0, four.1]), [four.2, four.3].map(\.bitPattern))
    }

    private static func bits(_ words: [Int]) -> [UInt64] {
        words.map { UInt64(UInt(bitPattern: $0)) }
    }
}
#endif
