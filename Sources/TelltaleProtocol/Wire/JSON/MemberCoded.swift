#if TELLTALE_COMPILED
/// A value whose members are listed once, for reading and for writing.
///
/// For what every client reads at its start, and for what an answer has thousands of. The generic types
/// of `Codable`'s containers, which the runtime makes when they are first used, cost a client that runs
/// one command a sixth of its own time; and `Codable` took two thirds of the time of an answer with
/// thousands of entries, ten times as long in an agent that is not optimised (measured).
public protocol MemberCoded: JSONCodable {
    /// Makes an empty value, to be read into.
    init()

    /// Names each member to the coder, in the order in which they are written.
    ///
    /// - Parameter coder: Reads them or writes them.
    mutating func code(_ coder: inout MemberCoder)
}

extension MemberCoded {
    /// Reads a value, as `Codable` would.
    public init(json: JSONValue) throws {
        var coder = try MemberCoder(reading: json)
        self.init()
        code(&coder)
        try coder.check()
    }

    /// Writes the value, as `Codable` would.
    public func json() throws -> JSONValue {
        var coder = MemberCoder()
        var copy = self
        copy.code(&coder)
        try coder.check()
        return coder.json
    }

    /// Reads a value within one that `Codable` reads.
    ///
    /// - Parameter decoder: Where from.
    /// - Throws: What the decoder throws, and `DecodingError` for what does not fit.
    public init(from decoder: any Decoder) throws {
        do {
            let json = try (decoder as? ValueDecoder)?.value ?? JSONValue(from: decoder)
            self = try Self(json: json)
        } catch let error as DecodingError {
            throw error.below(decoder.codingPath)
        }
    }

    /// Writes the value within one that `Codable` writes.
    ///
    /// - Parameter encoder: Where to.
    /// - Throws: What the encoder throws, and `EncodingError` for a number that JSON can't say.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? ValueEncoder {
            encoder.node.set(try json())
        } else {
            try json().encode(to: encoder)
        }
    }
}
#endif
