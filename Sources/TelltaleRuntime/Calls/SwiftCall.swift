#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// One call of a function that is known by its symbol alone: its arguments in the registers of the calling
/// convention, and its result.
///
/// Used once, by one thread, on the owner of the receiver.
package struct SwiftCall {
    package enum Outcome {
        /// Nil if the function returns `Void`.
        case returned(Any?)
        case threw(any Error)
    }

    /// The maximum number of argument words.
    static let mostWords = 24

    private(set) var integers: [UInt64] = []
    private(set) var floats: [UInt64] = []
    private(set) var stack: [UInt64] = []
    /// The memory of each argument. `isOwned` is true if the function consumes the value.
    private var places: [(place: UnsafeMutableRawPointer, type: Any.Type, isOwned: Bool)] = []

    /// Adds an argument; false if the value is not of the parameter's type.
    mutating func add(_ value: Any, as passed: MethodCallability.Parameter) -> Bool {
        let metadata = TypeMetadata(passed.type)
        let place = UnsafeMutableRawPointer.allocate(
            byteCount: max(metadata.size, 16), alignment: Int(metadata.alignmentMask) + 1)
        guard TypedMemory.initialize(place, to: value, as: passed.type) else {
            place.deallocate()
            return false
        }
        places.append((place, passed.type, passed.isOwned))
        for (element, offset) in passed.elements { add(element, at: place + offset) }
        return true
    }

    /// Adds the value at an address and leaves the value there.
    mutating func add(_ passed: PassedType, at place: UnsafeMutableRawPointer) {
        guard !passed.isIndirect else { return addInteger(UInt64(UInt(bitPattern: place))) }
        // The last unit may extend past the end of the value.
        let size = TypeMetadata(passed.type).size
        for part in passed.parts {
            let bits = Self.bits(
                at: place + part.offset, count: min(part.size, size - part.offset))
            if part.isFloat { addFloat(bits) } else { addInteger(bits) }
        }
    }

    mutating func addInteger(_ bits: UInt64) {
        if integers.count < ctelltale_swift_call_integers {
            integers.append(bits)
        } else {
            stack.append(bits)
        }
    }

    private mutating func addFloat(_ bits: UInt64) {
        if floats.count < 8 { floats.append(bits) } else { stack.append(bits) }
    }

    /// Destroys the arguments that the function did not consume.
    ///
    /// - Parameter wasCalled: True if the function ran.
    func end(wasCalled: Bool) {
        for (place, type, isOwned) in places {
            if !isOwned || !wasCalled { TypedMemory.destroy(type, at: place) }
            place.deallocate()
        }
    }

    /// Calls the function at `address`.
    func run(
        _ address: UInt, selfWord: UInt, result: PassedType
    ) -> Outcome {
        var call = CTelltaleSwiftCall()
        call.function = address
        call.`self` = selfWord
        Self.fill(&call.integers, with: integers)
        Self.fill(&call.floats, with: floats)
        GuardedReading.rest()
        return Self.withResult(of: result) { place in
            call.indirect = UInt(bitPattern: place)
            stack.withUnsafeBufferPointer { words in
                call.stack = words.baseAddress
                call.stack_count = words.count
                ctelltale_swift_call(&call)
            }
            guard call.error == 0 else { return Self.error(call.error) }
            if !result.isIndirect {
                Self.store(
                    result, at: place, integers: Self.words(call.results),
                    floats: Self.words(call.float_results))
            }
            return nil
        }
    }

    /// Runs a body that makes the call and stores its result at an address, or returns the error.
    static func withResult(
        of result: PassedType, _ body: (UnsafeMutableRawPointer) -> (any Error)?
    ) -> Outcome {
        TypedMemory.withMemory(for: result.type) { place in
            if let error = body(place) { return .threw(error) }
            guard result.type != Void.self else { return .returned(nil) }
            return .returned(.some(TypedMemory.take(result.type, at: place)))
        }
    }

    /// Stores the result registers at their offsets in the value.
    static func store(
        _ result: PassedType, at place: UnsafeMutableRawPointer, integers: [UInt64],
        floats: [UInt64]
    ) {
        var (integer, float) = (0, 0)
        let size = TypeMetadata(result.type).size
        for part in result.parts {
            var bits = part.isFloat ? floats[float] : integers[integer]
            if part.isFloat { float += 1 } else { integer += 1 }
            // Only the lowest bit of a `Bool`'s register is defined.
            if result.type == Bool.self { bits &= 1 }
            withUnsafeBytes(of: bits) {
                (place + part.offset).copyMemory(
                    from: $0.baseAddress ?? UnsafeRawPointer(place),
                    byteCount: min(part.size, size - part.offset))
            }
        }
    }

    /// Stands for an error thrown with a typed `throws`: its type is unknown here, and it is not boxed.
    struct TypedError: Error {}

    /// The error in the register, which the caller now owns.
    static func error(_ word: UInt) -> any Error {
        // For a typed `throws` the register is only a flag.
        guard word > 0xFFFF else { return TypedError() }
        return withUnsafeTemporaryAllocation(of: UInt.self, capacity: 1) { place in
            place.initializeElement(at: 0, to: word)
            return UnsafeMutableRawBufferPointer(place).bindMemory(to: (any Error).self)
                .moveElement(from: 0)
        }
    }

    private static func bits(at place: UnsafeMutableRawPointer, count: Int) -> UInt64 {
        var bits: UInt64 = 0
        withUnsafeMutableBytes(of: &bits) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: place, count: count))
        }
        return bits
    }

    private static func fill<Words>(_ words: inout Words, with values: [UInt64]) {
        withUnsafeMutableBytes(of: &words) { bytes in
            for (index, value) in values.enumerated() {
                bytes.storeBytes(of: value, toByteOffset: index * 8, as: UInt64.self)
            }
        }
    }

    private static func words<Words>(_ words: Words) -> [UInt64] {
        withUnsafeBytes(of: words) { Array($0.bindMemory(to: UInt64.self)) }
    }
}
#endif
