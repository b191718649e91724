#if TELLTALE_AGENT
/// The registers in which a value of a type is passed.
///
/// Checked against swift-6.3.1 (`SwiftAggLowering` in clang's `SwiftCallingConv.cpp`, and
/// `NativeConventionSchema` in `lib/IRGen`). A value is split into its numbers, references and words.
/// Adjacent pieces that share a word and are not floating-point numbers form one part. A value of more than
/// four parts is passed by address. A type is accepted only if every field in it is known.
package struct PassedType: Sendable {
    /// One part of a value: at most one word.
    package struct Part: Sendable, Equatable {
        var offset: Int
        var size: Int
        var isFloat = false
    }

    /// The reason why a value can't be passed.
    package struct Refusal: Error, Equatable {
        var reason: String
    }

    let type: Any.Type
    /// The parts that are passed in registers. If there are more than ``mostParts``, the value is passed by
    /// address.
    let parts: [Part]
    static let mostParts = 4

    /// True if the value is passed by the address of its memory.
    var isIndirect: Bool { parts.count > Self.mostParts }

    /// Computes the parts of a type.
    ///
    /// - Throws: The reason why the type can't be passed.
    init(_ type: Any.Type) throws(Refusal) {
        self.type = type
        var pieces: [Piece] = []
        try Self.collect(type, at: 0, into: &pieces, depth: 0)
        pieces.sort { $0.begin < $1.begin }
        parts = Self.merged(pieces)
    }

    /// Returns the values as which a parameter is passed: each element of a tuple separately.
    static func parameters(
        _ type: Any.Type, at offset: Int = 0
    ) throws(Refusal) -> [(passed: PassedType, offset: Int)] {
        guard TypeMetadata(type).kind == .tuple else {
            return [(try PassedType(type), offset)]
        }
        var all: [(PassedType, Int)] = []
        for element in FieldCache.fields(of: type) {
            all += try parameters(element.type, at: offset + element.offset)
        }
        return all
    }

    // MARK: Splitting

    private struct Piece {
        var begin: Int
        var end: Int
        var isFloat = false
        /// True for bytes of unknown structure, and for pieces that share a word with others.
        var isOpaque = false
    }

    private static let integers: Set<ObjectIdentifier> = [
        ObjectIdentifier(Int.self), ObjectIdentifier(UInt.self), ObjectIdentifier(Int8.self),
        ObjectIdentifier(UInt8.self), ObjectIdentifier(Int16.self), ObjectIdentifier(UInt16.self),
        ObjectIdentifier(Int32.self), ObjectIdentifier(UInt32.self), ObjectIdentifier(Int64.self),
        ObjectIdentifier(UInt64.self), ObjectIdentifier(Bool.self),
    ]
    private static let floats: Set<ObjectIdentifier> = [
        ObjectIdentifier(Double.self), ObjectIdentifier(Float.self),
    ]
    private static let deepest = 16

    private static func collect(
        _ type: Any.Type, at offset: Int, into pieces: inout [Piece], depth: Int
    ) throws(Refusal) {
        let metadata = TypeMetadata(type)
        let name = TypeNames.name(of: type)
        guard depth < deepest else { throw Refusal(reason: "\(name) is nested too deep") }
        let end = offset + metadata.size
        let identifier = ObjectIdentifier(type)
        if integers.contains(identifier) { return pieces.append(Piece(begin: offset, end: end)) }
        if floats.contains(identifier) {
            return pieces.append(Piece(begin: offset, end: end, isFloat: true))
        }
        if type == String.self {
            pieces.append(Piece(begin: offset, end: offset + 8))
            return pieces.append(Piece(begin: offset + 8, end: end))
        }
        guard !metadata.isNoncopyable else { throw Refusal(reason: "\(name) can't be copied") }
        switch metadata.kind {
        case .classType: pieces.append(Piece(begin: offset, end: end))
        case .structure, .tuple: try fields(of: type, at: offset, into: &pieces, depth: depth)
        case .optional:
            guard let wrapped = metadata.argument(0) else {
                throw Refusal(reason: "\(name) is not known")
            }
            var inner: [Piece] = []
            try collect(wrapped, at: 0, into: &inner, depth: depth + 1)
            pieces.append(Piece(begin: offset, end: end, isOpaque: true))
        case .enumeration: try cases(of: type, at: offset, into: &pieces, depth: depth)
        case .opaque where name == "Builtin.BridgeObject":
            pieces.append(Piece(begin: offset, end: end))
        case .function: throw Refusal(reason: "\(name) is a function")
        case .existential, .extendedExistential: throw Refusal(reason: "\(name) is an existential")
        case .metatype, .existentialMetatype: throw Refusal(reason: "\(name) is a type")
        default: throw Refusal(reason: "how \(name) is passed is not known")
        }
    }

    private static func fields(
        of type: Any.Type, at offset: Int, into pieces: inout [Piece], depth: Int
    ) throws(Refusal) {
        let metadata = TypeMetadata(type)
        let name = TypeNames.name(of: type)
        let fields = FieldCache.fields(of: type)
        if let descriptor = metadata.descriptor {
            // A type imported from C is lowered by C's rules.
            guard fields.count == descriptor.records.count, !descriptor.lacksRecords,
                !isImported(type)
            else { throw Refusal(reason: "not every field of \(name) is known") }
        }
        guard !(fields.isEmpty && metadata.size > 0) else {
            throw Refusal(reason: "not every field of \(name) is known")
        }
        for field in fields {
            guard field.ownership == .strong, !field.isNoncopyable else {
                throw Refusal(reason: "\(name).\(field.name) is weak, unowned or can't be copied")
            }
            try collect(field.type, at: offset + field.offset, into: &pieces, depth: depth + 1)
        }
    }

    private static func cases(
        of type: Any.Type, at offset: Int, into pieces: inout [Piece], depth: Int
    ) throws(Refusal) {
        let name = TypeNames.name(of: type)
        let layout = EnumLayout(of: type)
        // An enum with a single case is passed as its payload.
        guard layout.cases.count > 1, !isImported(type) else {
            throw Refusal(reason: "how \(name) is passed is not known")
        }
        for entry in layout.cases where entry.hasPayload && !entry.isIndirect {
            guard let payload = entry.payload else {
                throw Refusal(reason: "\(name).\(entry.name) has a payload that is not known")
            }
            var inner: [Piece] = []
            try collect(payload, at: 0, into: &inner, depth: depth + 1)
        }
        let end = offset + TypeMetadata(type).size
        guard end > offset else { return }
        pieces.append(Piece(begin: offset, end: end, isOpaque: true))
    }

    /// Returns true if the type is imported from C.
    private static func isImported(_ type: Any.Type) -> Bool {
        _typeName(type, qualified: true).hasPrefix("__C.")
    }

    // MARK: Merging

    private static let chunk = 8

    /// Merges pieces that share a word into one part, unless one of them is a floating-point number.
    private static func merged(_ pieces: [Piece]) -> [Part] {
        var pieces = pieces
        for index in pieces.indices.dropFirst()
        where (pieces[index - 1].end - 1) / chunk == pieces[index].begin / chunk
            && !pieces[index - 1].isFloat && !pieces[index].isFloat
        {
            pieces[index - 1].isOpaque = true
            pieces[index].isOpaque = true
            pieces[index - 1].end = pieces[index].begin
        }
        var parts: [Part] = []
        var index = 0
        while index < pieces.count {
            let first = pieces[index]
            index += 1
            guard first.isOpaque else {
                parts.append(
                    Part(
                        offset: first.begin, size: first.end - first.begin,
                        isFloat: first.isFloat))
                continue
            }
            var end = first.end
            while index < pieces.count, pieces[index].isOpaque, pieces[index].begin == end {
                end = pieces[index].end
                index += 1
            }
            parts += units(from: first.begin, to: end)
        }
        return parts
    }

    /// Returns, for each word, the smallest aligned unit that covers all of the bytes in it.
    private static func units(from begin: Int, to end: Int) -> [Part] {
        var parts: [Part] = []
        var begin = begin
        while begin < end {
            let last = min(end, (begin / chunk + 1) * chunk)
            var size = 1
            while begin / size * size + size < last { size *= 2 }
            parts.append(Part(offset: begin / size * size, size: size))
            begin = last
        }
        return parts
    }
}
#endif
