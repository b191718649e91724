#if TELLTALE_AGENT
import TelltaleProtocol

/// The types whose values are described completely by their own bytes.
package enum ScalarKind: Sendable {
    case bool
    /// A number: any bytes are valid.
    case number(@Sendable (ValueView) -> String?)
    case unicodeScalar
    /// An address.
    case pointer

    private static let table: [ObjectIdentifier: ScalarKind] = {
        var table: [ObjectIdentifier: ScalarKind] = [
            ObjectIdentifier(Bool.self): .bool,
            ObjectIdentifier(Unicode.Scalar.self): .unicodeScalar,
            ObjectIdentifier(ObjectIdentifier.self): .pointer,
            ObjectIdentifier(UnsafeRawPointer.self): .pointer,
            ObjectIdentifier(UnsafeMutableRawPointer.self): .pointer,
            ObjectIdentifier(OpaquePointer.self): .pointer,
        ]
        func add<Value: BitwiseCopyable & CustomStringConvertible & Sendable>(
            _ type: Value.Type
        ) {
            table[ObjectIdentifier(type)] = .number { $0.load(Value.self)?.description }
        }
        let numbers: [any (BitwiseCopyable & CustomStringConvertible & Sendable).Type] = [
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self, UInt.self,
            UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt128.self, Float.self,
            Double.self, Float16.self, Duration.self,
        ]
        for type in numbers { add(type) }
        return table
    }()

    static func of(_ type: Any.Type) -> ScalarKind? { table[ObjectIdentifier(type)] }

    /// Returns the value as a literal; nil if the bytes are not a valid value.
    package func text(of view: ValueView) -> String? {
        switch self {
        case .bool: view.load(UInt8.self).map { $0 & 1 == 1 ? "true" : "false" }
        case .number(let text): text(view)
        case .unicodeScalar:
            view.load(UInt32.self).flatMap(Unicode.Scalar.init).map {
                Literal.quoted(String($0))
            }
        case .pointer: view.word().map(Quantity.address)
        }
    }
}
#endif
