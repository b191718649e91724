#if TELLTALE_AGENT
import Foundation
import TelltaleAgent

/// Makes a `Decimal` anew from its bytes, if they are one.
///
/// Checked against swift-foundation 6.3.1: the exponent, a byte whose upper half is how many of the
/// eight words of the mantissa count, two bytes that are not used, the mantissa. One with more words
/// ends the process when it is described.
enum StoredDecimal {
    private static let size = 20
    private static let mostWords: UInt8 = 8

    /// Indicates that this process's Foundation stores decimals so.
    static let isKnown: Bool = {
        guard MemoryLayout<Decimal>.size == size else { return false }
        let largest = Decimal.greatestFiniteMagnitude
        return [0, 1, -12.5, 1e-20, largest, Decimal.nan].allSatisfy { sample in
            let made = StoredValue.reading(sample) { decimal(in: $0) }
            let words = StoredValue.reading(sample) { $0.load(UInt8.self, at: 1) }
            let exponent = StoredValue.reading(sample) { $0.load(Int8.self) }
            return made?.description == sample.description
                && words.map { $0 >> 4 <= mostWords } == true
                && (sample != largest || words.map { $0 >> 4 } == mostWords && exponent == 127)
        }
    }()

    static func decimal(in value: StoredValue) -> Decimal? {
        guard let bytes = value.bytes, bytes.count == size, bytes[1] >> 4 <= mostWords else {
            return nil
        }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: Decimal.self) }
    }
}
#endif
