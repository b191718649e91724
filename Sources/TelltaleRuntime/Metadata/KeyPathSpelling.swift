#if TELLTALE_AGENT
import TelltalePicture
package import TelltaleSystem

/// Spells a key path as in the source: `\Photo.size.width`.
///
/// Layout checked against swift-6.3.1 (`KeyPath.swift`). The header of `AnyKeyPath` and one more word are
/// followed by a header with the size of the rest, then by the components. Each component has a header of
/// four bytes. All but the last are followed by the type of their value. Tested once on key paths of our
/// own. No code of a key path is called.
package struct KeyPathSpelling {
    private static let families: Set<TypeDescriptor> = {
        let samples: [Any.Type] = [
            AnyKeyPath.self, PartialKeyPath<Int>.self, KeyPath<Int, Int>.self,
            WritableKeyPath<Int, Int>.self, ReferenceWritableKeyPath<Int, Int>.self,
        ]
        return Set(samples.compactMap { TypeMetadata($0).descriptor })
    }()

    /// Returns true if a class is a key path class.
    package static func isKeyPath(_ type: Any.Type) -> Bool {
        TypeMetadata(type).kind == .classType
            && TypeMetadata(type).descriptor.map(families.contains) ?? false
    }

    private enum Component: UInt32 { case external, structure, computed, object, optional }

    private static let headerSize = 24
    private static let largest = 4096
    private static let offsetMask: UInt32 = 0x7F_FFFF
    private static let firstSpecialOffset: UInt32 = 0x7F_FFFD
    private static let settable: UInt32 = 0x40_0000
    private static let hasArguments: UInt32 = 0x08_0000

    private let block: MemoryBlock
    private let address: UInt
    private var position: Int
    private let end: Int
    private var type: Any.Type?
    /// The value type of the whole key path.
    private let value: Any.Type?
    private let namesEnd: MonotonicTime

    /// Returns the spelling of the key path at an address; nil if it isn't understood. A computed property
    /// is shown without its name if the name has not been found by `namesEnd`.
    package static func text(
        at address: UInt, of type: Any.Type, in source: MemorySource,
        namesBy namesEnd: MonotonicTime
    ) -> String? {
        isKnown ? spelled(at: address, of: type, in: source, namesBy: namesEnd) : nil
    }

    private static func spelled(
        at address: UInt, of type: Any.Type, in source: MemorySource,
        namesBy namesEnd: MonotonicTime
    ) -> String? {
        guard let root = TypeMetadata(type).classArgument(0),
            var spelling = KeyPathSpelling(
                at: address, root: root, value: TypeMetadata(type).classArgument(1), in: source,
                namesBy: namesEnd)
        else { return nil }
        var text = "\\" + TypeNames.name(of: root)
        var count = 0
        while spelling.position < spelling.end {
            guard count < 64, let next = spelling.component() else { return nil }
            text += next
            count += 1
        }
        return count == 0 ? text + ".self" : text
    }

    private init?(
        at address: UInt, root: Any.Type, value: Any.Type?, in source: MemorySource,
        namesBy namesEnd: MonotonicTime
    ) {
        guard let flags = source.load(UInt32.self, at: address &+ UInt(Self.headerSize)) else {
            return nil
        }
        let size = Int(flags & 0xFF_FFFF)
        let start = address &+ UInt(Self.headerSize + 8)
        guard size <= Self.largest, let block = MemoryBlock(reading: start, count: size, in: source)
        else { return nil }
        self.block = block
        self.address = address
        position = 0
        end = size
        type = root
        self.value = value
        self.namesEnd = namesEnd
    }

    private mutating func word() -> UInt? {
        position = (position + 7) & ~7
        defer { position += 8 }
        return block.load(UInt.self, at: position)
    }

    /// The type of the value of the current component, after its own words were read.
    private var target: Any.Type? {
        guard position < end else { return value }
        return block.load(UInt.self, at: (position + 7) & ~7).flatMap { MetadataCheck.type(at: $0) }
    }

    private mutating func component() -> String? {
        guard let header = block.load(UInt32.self, at: position),
            let kind = Component(rawValue: header >> 24 & 0x7F)
        else { return nil }
        position += 4
        let payload = header & 0xFF_FFFF
        var text: String?
        switch kind {
        case .external: return nil
        case .structure, .object: text = stored(payload & Self.offsetMask)
        case .computed: text = computed(payload)
        case .optional: text = payload == 0 ? "?" : payload == 2 ? "!" : ""
        }
        guard let text else { return nil }
        type = nil
        guard position < end else { return text }
        guard let next = word(), let found = MetadataCheck.type(at: next) else { return nil }
        type = found
        return text
    }

    private mutating func stored(_ inline: UInt32) -> String? {
        var offset = Int(inline)
        if inline >= Self.firstSpecialOffset {
            guard inline == Self.offsetMask, let word = block.load(UInt32.self, at: position) else {
                return nil
            }
            position += 4
            offset = Int(word)
        }
        guard let type else { return nil }
        let fields = FieldCache.fields(of: type).filter { $0.offset == offset }
        // A property without size has the offset of the next one.
        let target = target
        let field = fields.last { $0.type == target } ?? fields.last
        return field.map { ".\($0.shownName.drop { $0 == "." })" }
    }

    private mutating func computed(_ payload: UInt32) -> String? {
        guard word() != nil, let getter = word() else { return nil }
        if payload & Self.settable != 0 { _ = word() }
        let isSubscript = payload & Self.hasArguments != 0
        if isSubscript {
            guard let size = word(), size <= UInt(Self.largest), word() != nil else { return nil }
            position += Int(size)
        }
        let name = Self.name(of: getter, until: namesEnd)
        return isSubscript ? name ?? "[…]" : name ?? ".<computed>"
    }

    /// Finds the name in a symbol of the program such as `key path getter for Outer.twice : Int`.
    private static func name(of getter: UInt, until deadline: MonotonicTime) -> String? {
        let symbols = RuntimeCaches.current.symbolicator
        guard let found = symbols.names(of: [getter], deadline: deadline).first,
            let symbol = found.symbol, found.offset == 0,
            let words = SymbolName.demangled(symbol), words.hasPrefix("key path getter for ")
        else { return nil }
        var name = String(words.dropFirst("key path getter for ".count))
        if let end = name.firstIndex(of: ":") { name = String(name[..<end]) }
        while name.hasSuffix(" ") { name.removeLast() }
        guard let dot = name.lastIndex(of: "."), !name.contains("(") else { return nil }
        let last = name[name.index(after: dot)...]
        return last.hasPrefix("subscript") ? "[…]" : ".\(last)"
    }

    private struct Sample {
        var first = 1
        var pair = Inner()
        struct Inner {
            var low = 2
            var high = 3
        }
    }

    /// True if key paths are stored as expected in this process.
    private static let isKnown: Bool = {
        let samples: [(AnyKeyPath, String)] = [
            (\Sample.first, "\\Sample.first"), (\Sample.pair.high, "\\Sample.pair.high"),
            (\Sample.self, "\\Sample.self"),
        ]
        // The samples are newer than the copies of a reading that has begun.
        GuardedReading.refresh()
        return samples.allSatisfy { path, expected in
            let address = UInt(bitPattern: Unmanaged.passUnretained(path).toOpaque())
            return withExtendedLifetime(path) {
                spelled(at: address, of: Swift.type(of: path), in: .process, namesBy: .now)
                    == expected
            }
        }
    }()
}
#endif
