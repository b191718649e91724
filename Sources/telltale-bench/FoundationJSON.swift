// The only Foundation in this program: it is what the toolchain offers for JSON.
import Foundation
import TelltaleProtocol

/// The same three steps as the codec's, by Foundation.
enum FoundationJSON {
    /// Writes an answer with `JSONEncoder`.
    static func encode(_ answer: Answer) throws -> Int { try JSONEncoder().encode(answer).count }

    /// Reads any value with `JSONSerialization`.
    static func parse(_ bytes: [UInt8]) throws -> Bool {
        try JSONSerialization.jsonObject(with: Data(bytes)) is [String: Any]
    }

    /// Reads an answer with `JSONDecoder`.
    static func decode(_ bytes: [UInt8]) throws -> Answer {
        try JSONDecoder().decode(Answer.self, from: Data(bytes))
    }
}
