#if TELLTALE_AGENT
import TelltaleProtocol

/// The types whose bytes are all of a value.
enum ScalarKind: Sendable {
    case bool
    case int, int8, int16, int32, int64, int128
    case uint, uint8, uint16, uint32, uint64, uint128
    case float, double
    case unicodeScalar
    case duration
    case identifier, pointer

    private static let table: [ObjectIdentifier: ScalarKind] = {
        var table: [ObjectIdentifier: ScalarKind] = [:]
        let kinds: [(any Any.Type, ScalarKind)] = [
            (Bool.self, .bool), (Int.self, .int), (Int8.self, .int8), (Int16.self, .int16),
            (Int32.self, .int32), (Int64.self, .int64), (Int128.self, .int128),
            (UInt.self, .uint), (UInt8.self, .uint8), (UInt16.self, .uint16),
            (UInt32.self, .uint32), (UInt64.self, .uint64), (UInt128.self, .uint128),
            (Float.self, .float), (Double.self, .double),
            (Unicode.Scalar.self, .unicodeScalar), (Duration.self, .duration),
            (ObjectIdentifier.self, .identifier), (UnsafeRawPointer.self, .pointer),
            (UnsafeMutableRawPointer.self, .pointer), (OpaquePointer.self, .pointer),
        ]
        for (type, kind) in kinds { table[ObjectIdentifier(type)] = kind }
        return table
    }()

    /// The kind of a type; nil if it is no scalar.
    static func of(_ type: Any.Type) -> ScalarKind? { table[ObjectIdentifier(type)] }

    /// A value as it would be typed.
    ///
    /// - Parameter view: A value of the type.
    /// - Returns: nil if the bytes are no such value.
    func text(of view: ValueView) -> String? {
        switch self {
        case .bool: view.load(UInt8.self).map { $0 & 1 == 1 ? "true" : "false" }
        case .int: view.load(Int.self)?.description
        case .int8: view.load(Int8.self)?.description
        case .int16: view.load(Int16.self)?.description
        case .int32: view.load(Int32.self)?.description
        case .int64: view.load(Int64.self)?.description
        case .int128: view.load(Int128.self)?.description
        case .uint: view.load(UInt.self)?.description
        case .uint8: view.load(UInt8.self)?.description
        case .uint16: view.load(UInt16.self)?.description
        case .uint32: view.load(UInt32.self)?.description
        case .uint64: view.load(UInt64.self)?.description
        case .uint128: view.load(UInt128.self)?.description
        case .float: view.load(Float.self)?.description
        case .double: view.load(Double.self)?.description
        case .unicodeScalar:
            view.load(UInt32.self).flatMap(Unicode.Scalar.init).map {
                Literal.quoted(String($0))
            }
        case .duration: view.load(Duration.self)?.description
        case .identifier, .pointer: view.word().map(Hexadecimal.text)
        }
    }
}

/// Addresses as answers spell them.
enum Hexadecimal {
    static func text(_ word: UInt) -> String { Quantity.address(word) }
}
#endif
