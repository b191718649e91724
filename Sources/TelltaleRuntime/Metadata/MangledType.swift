#if TELLTALE_AGENT
/// A mangled type, spelled again so that the runtime finds it.
///
/// The compiler abbreviates: a repeated part is `AF`, a word of an earlier name `0B`. If such a text is
/// truncated, or a part is replaced, it means something else. So it is parsed part by part, and each part
/// is spelled out. A file-private type becomes a reference to its descriptor, which is the only way to name
/// it. Checked against swift-6.3.1 (`lib/Demangling/Demangler.cpp`); a text that isn't understood has no
/// type.
struct MangledType {
    /// A part of the text, spelled out.
    struct Item {
        enum Kind {
            case identifier, type, attribute, empty, first
        }
        var kind: Kind
        var text: [UInt8]
        /// The names of a nominal type, or of one part of its name.
        var path: [DescriptorSearch.Part] = []
        /// The generic arguments; empty for a type without any.
        var arguments: [[UInt8]] = []
        /// The elements of a tuple.
        var elements: [Item] = []
        /// The ownership of a parameter if it is explicit: `z` inout, `n` owned, `h` shared.
        var passing: UInt8?
    }

    struct NotUnderstood: Error {}

    private let bytes: [UInt8]
    private var position = 0
    var stack: [Item] = []
    private var substitutions: [Item] = []
    private var words: [[UInt8]] = []
    private(set) var references: [TypeDescriptor] = []
    /// True if every type whose descriptor is found is spelled as a reference to it, and not only types
    /// that can't be named: the runtime does not find noncopyable types by name.
    private let refersToAll: Bool

    init(bytes: [UInt8], refersToAll: Bool) {
        self.bytes = bytes
        self.refersToAll = refersToAll
    }

    // MARK: Reading

    private mutating func next() throws(NotUnderstood) -> UInt8 {
        guard position < bytes.count else { throw NotUnderstood() }
        position += 1
        return bytes[position - 1]
    }

    private func peek() -> UInt8 { position < bytes.count ? bytes[position] : 0 }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    mutating func number() -> Int? {
        var value: Int?
        while peek() &- 0x30 < 10, (value ?? 0) < 100_000 {
            value = (value ?? 0) * 10 + Int(peek() &- 0x30)
            position += 1
        }
        return value
    }

    mutating func pop() throws(NotUnderstood) -> Item {
        guard let item = stack.popLast() else { throw NotUnderstood() }
        return item
    }

    mutating func pop(_ kind: Item.Kind) throws(NotUnderstood) -> Item {
        let item = try pop()
        guard item.kind == kind else { throw NotUnderstood() }
        return item
    }

    mutating func has(_ kind: Item.Kind) -> Bool {
        guard stack.last?.kind == kind else { return false }
        stack.removeLast()
        return true
    }

    mutating func push(_ kind: Item.Kind, _ text: [UInt8]) {
        stack.append(Item(kind: kind, text: text))
    }

    mutating func pushNew(_ item: Item) {
        stack.append(item)
        substitutions.append(item)
    }

    mutating func run() throws(NotUnderstood) {
        while position < bytes.count {
            if peek() &- 0x30 < 10 {
                try identifier()
            } else {
                try self.operator(try next())
            }
        }
    }

    private mutating func `operator`(_ byte: UInt8) throws(NotUnderstood) {
        switch UnicodeScalar(byte) {
        case "A": try substitution()
        case "S": try standard()
        case "s":
            stack.append(Item(kind: .identifier, text: [byte], path: [.init(name: "Swift")]))
        case "V", "C", "O": try nominal(byte)
        case "L":
            guard skip(UInt8(ascii: "L")) else { throw NotUnderstood() }
            try privateName()
        case "y": push(.empty, [byte])
        case "_": push(.first, [byte])
        case "x": push(.type, [byte])
        case "q":
            let start = position - 1
            _ = number()
            guard skip(UInt8(ascii: "_")) else { throw NotUnderstood() }
            push(.type, Array(bytes[start..<position]))
        case "G": try boundGeneric()
        case "t": try tuple()
        case "p": try existential([byte])
        case "X":
            guard skip(UInt8(ascii: "l")) else { throw NotUnderstood() }
            try existential(Array("Xl".utf8))
        case "K": push(.attribute, [byte])
        case "Y":
            let attribute = try next()
            guard "abAC".utf8.contains(attribute) else { throw NotUnderstood() }
            push(.attribute, [byte, attribute])
        case "c": try function()
        case "m":
            let type = try pop(.type)
            push(.type, type.text + [byte])
        case "z", "n", "h":
            var type = try pop(.type)
            type.passing = byte
            type.text.append(byte)
            stack.append(type)
        case "E":
            // An extension of the type, in the module.
            _ = try pop(.identifier)
            stack.append(try pop(.type))
        case "R":
            // A requirement of the generic signature, which ends with `l`; not needed here.
            if !skip(UInt8(ascii: "z")) {
                _ = number()
                guard skip(UInt8(ascii: "_")) else { throw NotUnderstood() }
            }
        case "l": stack = []
        default: throw NotUnderstood()
        }
    }

    // MARK: Names

    private mutating func identifier() throws(NotUnderstood) {
        var hasWords = skip(UInt8(ascii: "0"))
        // Two zeros: a name that is not ASCII.
        guard !hasWords || peek() != UInt8(ascii: "0") else { throw NotUnderstood() }
        var name: [UInt8] = []
        repeat {
            while hasWords, (peek() | 0x20) &- UInt8(ascii: "a") < 26 {
                let letter = try next()
                let isLast = letter < UInt8(ascii: "a")
                let index = Int((letter | 0x20) &- UInt8(ascii: "a"))
                guard words.indices.contains(index) else { throw NotUnderstood() }
                name += words[index]
                if isLast { hasWords = false }
            }
            if skip(UInt8(ascii: "0")) { break }
            guard let count = number(), count > 0, position + count <= bytes.count else {
                throw NotUnderstood()
            }
            let piece = Array(bytes[position..<position + count])
            position += count
            addWords(of: piece)
            name += piece
        } while hasWords
        guard let text = String(validating: name, as: UTF8.self) else { throw NotUnderstood() }
        pushNew(
            Item(
                kind: .identifier, text: Array("\(name.count)".utf8) + name,
                path: [.init(name: text)]))
    }

    private mutating func addWords(of piece: [UInt8]) {
        var start: Int?
        for index in 0...piece.count {
            let byte = index < piece.count ? piece[index] : 0
            if let begin = start, Self.isEnd(byte, after: piece[index - 1]) {
                if index - begin >= 2, words.count < 26 {
                    words.append(Array(piece[begin..<index]))
                }
                start = nil
            }
            if start == nil, byte != 0, byte != UInt8(ascii: "_"), byte &- 0x30 >= 10 {
                start = index
            }
        }
    }

    private static func isEnd(_ byte: UInt8, after last: UInt8) -> Bool {
        func isUpper(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }
        return byte == 0 || byte == UInt8(ascii: "_") || (!isUpper(last) && isUpper(byte))
    }

    private mutating func privateName() throws(NotUnderstood) {
        let file = try pop(.identifier)
        var name = try pop(.identifier)
        guard let part = name.path.first else { throw NotUnderstood() }
        name.path = [.init(name: part.name, file: file.path.first?.name ?? "")]
        name.text += file.text + Array("LL".utf8)
        stack.append(name)
    }

    private mutating func nominal(_ kind: UInt8) throws(NotUnderstood) {
        let name = try pop(.identifier)
        let context = try pop()
        guard context.kind == .identifier || context.kind == .type, !context.path.isEmpty else {
            throw NotUnderstood()
        }
        let path = context.path + name.path
        var text = context.text + name.text + [kind]
        let isPrivate = path.contains { $0.file != nil }
        let descriptor = isPrivate || refersToAll ? DescriptorSearch.find(path) : nil
        if isPrivate, descriptor == nil { throw NotUnderstood() }
        if let descriptor {
            let number = UInt32(references.count)
            references.append(descriptor)
            text = [2] + (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        pushNew(Item(kind: .type, text: text, path: path))
    }

    // MARK: Abbreviations

    private mutating func standard() throws(NotUnderstood) {
        if skip(UInt8(ascii: "g")) {
            let wrapped = try pop(.type)
            return pushNew(Item(kind: .type, text: wrapped.text + Array("Sg".utf8)))
        }
        let count = number() ?? 1
        let isSecond = skip(UInt8(ascii: "c"))
        let letter = try next()
        guard count <= 2048, (letter | 0x20) &- UInt8(ascii: "a") < 26,
            isSecond || (letter != UInt8(ascii: "o") && letter != UInt8(ascii: "C"))
        else { throw NotUnderstood() }
        for _ in 0..<count { push(.type, Array((isSecond ? "Sc" : "S").utf8) + [letter]) }
    }

    private mutating func substitution() throws(NotUnderstood) {
        var count: Int?
        while true {
            let byte = try next()
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                try add(Int(byte &- UInt8(ascii: "a")), times: count ?? 1)
                count = nil
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                return try add(Int(byte &- UInt8(ascii: "A")), times: count ?? 1)
            case UInt8(ascii: "_"): return try add((count ?? -1) + 27, times: 1)
            default:
                position -= 1
                guard let number = number() else { throw NotUnderstood() }
                count = number
            }
        }
    }

    private mutating func add(_ index: Int, times: Int) throws(NotUnderstood) {
        guard substitutions.indices.contains(index), times <= 2048 else { throw NotUnderstood() }
        for _ in 0..<times { stack.append(substitutions[index]) }
    }
}
#endif
