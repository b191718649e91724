#if TELLTALE_AGENT
package import TelltaleProtocol

/// Sort keys for numbers: a list of 100,000 is sorted within one access to its owner.
package enum NumberKeys {
    /// The sort key of an element, and its position.
    package struct Key {
        fileprivate let key: Int64
        fileprivate let place: UInt32
    }

    package enum Kind { case integer, double }

    /// The sort key of a number; nil for other values, or if it does not fit.
    package static func key(
        of value: ExpressionValue, at position: Int
    ) -> (key: Key, kind: Kind)? {
        guard let place = UInt32(exactly: position) else { return nil }
        switch value {
        case .integer(let number):
            guard let key = Int64(exactly: number) else { return nil }
            return (Key(key: key, place: place), .integer)
        case .double(let number):
            // The bits of doubles sort like their values, with the order of negative numbers reversed; NaN
            // is last.
            guard !number.isNaN else { return (Key(key: .max, place: place), .double) }
            let bits = Int64(bitPattern: (number == 0 ? 0 : number).bitPattern)
            return (Key(key: bits < 0 ? bits ^ .max : bits, place: place), .double)
        case .decimal(let number):
            return number.ordinal.flatMap { key(of: .double($0), at: position) }
        default: return nil
        }
    }

    package static func value(of key: Key, _ kind: Kind) -> ExpressionValue {
        switch kind {
        case .integer: return .integer(Int128(key.key))
        case .double:
            let bits = key.key < 0 ? key.key ^ .max : key.key
            return .double(Double(bitPattern: UInt64(bitPattern: bits)))
        }
    }

    package static func position(of key: Key) -> Int { Int(key.place) }

    /// The positions, sorted by their keys; equal keys by their positions.
    package static func sorted(_ keys: [Key], isDescending: Bool) -> [Int] {
        keys.sorted { one, other in
            if one.key != other.key { return (one.key < other.key) != isDescending }
            return one.place < other.place
        }.map { Int($0.place) }
    }
}
#endif
