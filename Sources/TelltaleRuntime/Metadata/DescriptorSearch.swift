#if TELLTALE_AGENT
/// Finds the descriptor of a type by its name. Also finds types that the runtime does not find by name:
/// file-private and noncopyable types.
///
/// Layout checked against swift-6.3.1: the sections of an image from `swift_enumerateAllMetadataSections`,
/// and the parents and names of descriptors. All of this data is constant.
package enum DescriptorSearch {
    /// One component of a qualified name.
    package struct Part: Equatable {
        let name: String
        /// The discriminator that distinguishes file-private types of one name.
        var file: String?
    }

    /// Returns the only type with such a name; nil if there is none, or if several can't be told apart.
    static func find(_ path: [Part]) -> TypeDescriptor? {
        guard path.count >= 2 else { return nil }
        let search = Search(path)
        let context = Unmanaged.passUnretained(search).toOpaque()
        enumerateSections(
            { sections, context in
                guard let context else { return false }
                let search = Unmanaged<Search>.fromOpaque(context).takeUnretainedValue()
                search.look(through: sections)
                return true
            }, context)
        return search.found.count == 1 ? search.found.first : nil
    }

    /// A type that an image declares.
    package struct Declared: Sendable {
        /// The name without its module: `Album.Cover`.
        package var name: String
        package var module: String
        /// `class`, `actor`, `struct` or `enum`.
        package var kind: String
        package var isGeneric: Bool
        package var descriptor: TypeDescriptor
    }

    /// Returns up to `most` declared types. `isWanted` receives the address of each type's descriptor.
    static func declared(where isWanted: (UInt) -> Bool, most: Int) -> [Declared] {
        var found: [Declared] = []
        for sections in allSections() {
            Search.forEachType(in: sections) { descriptor in
                guard found.count < most, isWanted(UInt(bitPattern: descriptor)) else { return }
                if let one = Search.declared(descriptor) { found.append(one) }
            }
        }
        return found
    }

    /// Returns true if `body` returns true for a property or a case of any type. `isWanted` receives the
    /// address of each image's field records. `body` also receives the declaring type, if it is known.
    package static func anyField(
        where isWanted: (UInt) -> Bool, _ body: (TypeDescriptor?, TypeDescriptor.Record) -> Bool
    ) -> Bool {
        return allSections().contains { sections in
            let fields = Search.section(14, sections)
            guard isWanted(UInt(bitPattern: fields.baseAddress)) else { return false }
            var isFound = false
            Search.forEachFields(in: fields) { owner, records in
                isFound =
                    isFound || TypeDescriptor.records(at: records).contains { body(owner, $0) }
            }
            return isFound
        }
    }

    /// The sections of each image. They are collected first, because the runtime holds a lock during the
    /// enumeration.
    private static func allSections() -> [UnsafeRawPointer] {
        let list = DescriptorList()
        enumerateSections(
            { sections, context in
                guard let context else { return false }
                Unmanaged<DescriptorList>.fromOpaque(context).takeUnretainedValue()
                    .sections.append(sections)
                return true
            }, Unmanaged.passUnretained(list).toOpaque())
        return list.sections
    }

    private final class DescriptorList {
        var sections: [UnsafeRawPointer] = []
    }

    private final class Search {
        let path: [Part]
        let last: [UInt8]
        var found: Set<TypeDescriptor> = []

        init(_ path: [Part]) {
            self.path = path
            last = Array((path.last?.name ?? "").utf8) + [0]
        }

        /// Searches the sections: words 8 and 9 are the range of the type records, 14 and 15 that of the
        /// field records.
        func look(through sections: UnsafeRawPointer) {
            Self.forEachType(in: sections, consider)
            lookThroughFields(Self.section(14, sections))
        }

        static func section(
            _ index: Int, _ sections: UnsafeRawPointer
        ) -> UnsafeRawBufferPointer {
            let start = sections.load(fromByteOffset: index * 8, as: UInt.self)
            let count = sections.load(fromByteOffset: index * 8 + 8, as: Int.self)
            return UnsafeRawBufferPointer(
                start: UnsafeRawPointer(bitPattern: start), count: start == 0 ? 0 : count)
        }

        static func forEachType(
            in sections: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void
        ) {
            let types = section(8, sections)
            for offset in stride(from: 0, to: types.count - 3, by: 4) {
                guard let place = types.baseAddress?.advanced(by: offset) else { break }
                let distance = Int(place.load(as: Int32.self))
                // The low bits are the kind of reference: 0 is a direct reference to the descriptor.
                if distance & 3 == 0, distance != 0 { body(place + distance) }
            }
        }

        /// nil if the descriptor is not of a class, struct or enum, or has a parent that isn't understood.
        static func declared(_ descriptor: UnsafeRawPointer) -> Declared? {
            guard (16...18).contains(kind(descriptor)), let own = name(descriptor),
                let type = TypeDescriptor(address: UInt(bitPattern: descriptor))
            else { return nil }
            var path = [own]
            var current = parent(descriptor)
            for _ in 0..<32 {
                guard let context = current else { return nil }
                switch kind(context) {
                case 0:
                    let flags = descriptor.load(as: UInt32.self)
                    let kinds = [16: "class", 17: "struct", 18: "enum"]
                    // Bit 7 of the flags that are specific to classes.
                    let isActor = flags & 0x1F == 16 && flags & (1 << 23) != 0
                    return Declared(
                        name: path.reversed().joined(separator: "."), module: name(context) ?? "",
                        kind: isActor ? "actor" : kinds[Int(flags & 0x1F)] ?? "",
                        isGeneric: flags & 0x80 != 0, descriptor: type)
                case 16...18: path.append(name(context) ?? "")
                // An extension, or a context private to a file or a function.
                default: break
                }
                current = parent(context)
            }
            return nil
        }

        // The only record of a noncopyable type is that of its fields.
        private func lookThroughFields(_ fields: UnsafeRawBufferPointer) {
            Self.forEachFields(in: fields) { owner, _ in
                if let owner { consider(owner.pointer) }
            }
        }

        /// The field record of a type begins with a reference to the type: 1 and a relative offset.
        static func forEachFields(
            in fields: UnsafeRawBufferPointer, _ body: (TypeDescriptor?, UnsafeRawPointer) -> Void
        ) {
            var offset = 0
            while let start = fields.baseAddress, offset + 16 <= fields.count {
                let record = start + offset
                let size = Int(record.load(fromByteOffset: 10, as: UInt16.self))
                let count = Int(record.load(fromByteOffset: 12, as: UInt32.self))
                let distance = Int(record.load(as: Int32.self))
                let name = record + distance
                guard size >= 12 else { return }
                var owner: TypeDescriptor?
                if distance != 0, name.load(as: UInt8.self) == 1 {
                    let place = name + 1 + Int((name + 1).loadUnaligned(as: Int32.self))
                    owner = TypeDescriptor(address: UInt(bitPattern: place))
                }
                body(owner, record)
                offset += 16 + size * count
            }
        }

        private func consider(_ descriptor: UnsafeRawPointer) {
            guard let name = Self.target(descriptor + 8) else { return }
            for (index, byte) in last.enumerated()
            where name.load(fromByteOffset: index, as: UInt8.self) != byte { return }
            guard fits(descriptor),
                let type = TypeDescriptor(address: UInt(bitPattern: descriptor))
            else { return }
            found.insert(type)
        }

        /// Returns true if the kinds and the parents of a descriptor match the path.
        private func fits(_ descriptor: UnsafeRawPointer) -> Bool {
            guard (16...18).contains(Self.kind(descriptor)) else { return false }
            var current = descriptor
            var rest = path[...]
            while let part = rest.popLast() {
                var isInFile = part.file == nil
                guard let name = Self.name(current), name == part.name else { return false }
                if rest.isEmpty { return Self.kind(current) == 0 }
                guard var parent = Self.parent(current) else { return false }
                if Self.kind(parent) == 2 {
                    // Anonymous: the context of a file-private type.
                    if let file = part.file {
                        isInFile = Self.mangled(anonymous: parent).map { $0.contains(file) } ?? true
                    }
                    guard let outer = Self.parent(parent) else { return false }
                    parent = outer
                }
                guard isInFile else { return false }
                if Self.kind(parent) == 1 {
                    // The context of a type in an extension is known only by its module.
                    guard let module = Self.parent(parent) else { return false }
                    return Self.kind(module) == 0 && Self.name(module) == rest.first?.name
                }
                current = parent
            }
            return false
        }

        private static func kind(_ descriptor: UnsafeRawPointer) -> UInt32 {
            descriptor.load(as: UInt32.self) & 0x1F
        }

        private static func name(_ descriptor: UnsafeRawPointer) -> String? {
            guard kind(descriptor) == 0 || kind(descriptor) >= 16 else { return nil }
            return target(descriptor + 8).map {
                String(cString: $0.assumingMemoryBound(to: CChar.self))
            }
        }

        private static func mangled(anonymous descriptor: UnsafeRawPointer) -> String? {
            // Bit 0 of the kind-specific flags: a mangled name follows.
            guard descriptor.load(as: UInt32.self) >> 16 & 1 == 1 else { return nil }
            return target(descriptor + 8).map {
                String(cString: $0.assumingMemoryBound(to: CChar.self))
            }
        }

        private static func parent(_ descriptor: UnsafeRawPointer) -> UnsafeRawPointer? {
            let distance = Int((descriptor + 4).load(as: Int32.self))
            guard distance != 0 else { return nil }
            let place = descriptor + 4 + (distance & ~1)
            guard distance & 1 == 1 else { return place }
            return UnsafeRawPointer(bitPattern: place.load(as: UInt.self))
        }

        private static func target(_ place: UnsafeRawPointer) -> UnsafeRawPointer? {
            let distance = Int(place.load(as: Int32.self))
            return distance == 0 ? nil : place + distance
        }
    }
}

// Exported by the Swift runtime.
@_silgen_name("swift_enumerateAllMetadataSections")
private func enumerateSections(
    _ body: @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer?) -> Bool,
    _ context: UnsafeMutableRawPointer?)
#endif
