#if TELLTALE_AGENT
package import TelltaleProtocol

/// A cache of the stored properties of types.
package enum FieldCache {
    static let cache = TypeCache<[StoredField]>()

    /// Returns the stored properties of a class, a struct or a tuple, those of a superclass first.
    package static func fields(of type: Any.Type) -> [StoredField] {
        cache.value(of: type) {
            TypeMetadata($0).kind == .tuple ? elements(of: $0) : stored(in: $0)
        }
    }

    /// Returns the roles of properties that form a name/value pair; nil if they do not.
    package static func pair(in fields: [StoredField]) -> NameValuePair? {
        // A fast path: very few types form a pair.
        guard
            fields.first?.isUnlabelled == true
                || fields.contains(where: { $0.role?.isName == true })
        else { return nil }
        return NameValuePair(
            roles: fields.map(\.role),
            isUnlabelled: fields.allSatisfy { $0.isUnlabelled } && !areAlike(fields))
    }

    /// Returns true if the first part and another one are of the same type, and not a text: the branches of
    /// a tree, the ends of a line. The first part is then not the name of the others.
    private static func areAlike(_ fields: [StoredField]) -> Bool {
        guard let first = fields.first,
            fields.dropFirst().contains(where: { $0.type == first.type })
        else { return false }
        switch TypeShape.of(fields[0].type) {
        case .string, .substring, .character, .staticString, .existential: return false
        default: return true
        }
    }

    /// Returns true if a type was compiled without the records of its properties.
    package static func lacksRecords(_ type: Any.Type) -> Bool {
        TypeMetadata(type).descriptor?.lacksRecords ?? false
    }

    private static func stored(in type: Any.Type) -> [StoredField] {
        let records = records(of: type)
        let count = reflectedCount(type)
        guard count > 0, count <= TypeDescriptor.mostRecords, !records.isEmpty else {
            return []
        }
        let names = Set(records.map(\.record.name))
        return (0..<count).compactMap { index in
            var facts = ReflectedField()
            if index < records.count, records[index].record.isMadeFromBlock {
                return block(records[index], at: reflectedOffset(type, index: index))
            }
            let fieldType = reflectedField(type, index: index, fieldMetadata: &facts)
            defer { facts.free?(facts.name) }
            guard let cName = facts.name else { return nil }
            let name = String(cString: cName)
            guard !name.isEmpty, !StoredField.hidden.contains(name) else { return nil }
            let declared =
                index < records.count && records[index].record.name == name
                ? records[index] : nil
            let record = declared?.record
            let isLazy = name.hasPrefix(StoredField.lazyPrefix)
            return StoredField(
                name: name, shownName: shown(name, among: names), type: fieldType,
                offset: reflectedOffset(type, index: index), isVariable: facts.isVar || isLazy,
                ownership: facts.isStrong ? .strong : ownership(record), isLazy: isLazy,
                noncopyable: fieldType == Void.self && !isVoid(record)
                    ? declared.flatMap { NoncopyableField($0) } : nil)
        }
    }

    /// A property whose type must not be requested from the runtime, because it is made from a C block.
    private static func block(
        _ declared: (record: TypeDescriptor.Record, owner: Any.Type), at offset: Int
    ) -> StoredField {
        let name = declared.record.name
        return StoredField(
            name: name, shownName: name, type: Void.self, offset: offset,
            isVariable: declared.record.isVariable, ownership: .strong, isLazy: false,
            noncopyable: NoncopyableField(declared, isBlock: true))
    }

    /// The records of a class and of its superclasses, in the order of the runtime's indices.
    private static func records(
        of type: Any.Type
    ) -> [(record: TypeDescriptor.Record, owner: Any.Type)] {
        TypeMetadata.lineage(of: type).reversed().flatMap { owner in
            (TypeMetadata(owner).descriptor?.records ?? []).map { ($0, owner) }
        }
    }

    /// Shortens `_title`, the storage of a property wrapper or a macro, to `title`, unless there is another
    /// `title`.
    private static func shown(_ name: String, among names: Set<String>) -> String {
        if name.hasPrefix(StoredField.lazyPrefix) {
            return String(name.dropFirst(StoredField.lazyPrefix.count))
        }
        guard name.hasPrefix("_"), name.count > 1 else { return name }
        let bare = String(name.dropFirst())
        guard !names.contains(bare), !bare.hasPrefix("_"), !bare.hasPrefix("$") else {
            return name
        }
        return bare
    }

    private static func ownership(_ record: TypeDescriptor.Record?) -> StoredField.Ownership {
        guard let mangled = record?.mangled, mangled.count >= 2 else { return .unmanaged }
        switch mangled[mangled.count - 1] {
        case UInt8(ascii: "w"): return .weak
        case UInt8(ascii: "o"): return .unowned
        default: return .unmanaged
        }
    }

    // The runtime returns `()` for a type that it can't name.
    private static func isVoid(_ record: TypeDescriptor.Record?) -> Bool {
        guard let mangled = record?.mangled else { return true }
        return mangled.elementsEqual("yt".utf8)
    }

    // Metadata: word 1 is the count, word 2 the labels, each followed by a space, then pairs of type and
    // offset.
    private static func elements(of type: Any.Type) -> [StoredField] {
        let metadata = TypeMetadata(type)
        let count = Int(clamping: metadata.word(1))
        guard count <= 4096 else { return [] }
        var labels: [String] = []
        if let text = UnsafePointer<CChar>(bitPattern: metadata.word(2)) {
            labels = String(cString: text)
                .split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        }
        return (0..<count).compactMap { index in
            let typeWord = metadata.word(3 + index * 2)
            guard typeWord != 0 else { return nil }
            let label = index < labels.count ? labels[index] : ""
            return StoredField(
                name: ".\(index)", shownName: label.isEmpty ? ".\(index)" : label,
                type: unsafeBitCast(typeWord, to: Any.Type.self),
                offset: Int(metadata.word(4 + index * 2) & 0xFFFF_FFFF), isVariable: true,
                ownership: .strong, isLazy: false, noncopyable: nil)
        }
    }
}

/// The runtime's description of a field, in the runtime's layout.
private struct ReflectedField {
    var name: UnsafePointer<CChar>?
    var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
    var isStrong = false
    var isVar = false
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func reflectedCount(_: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func reflectedField(
    _: Any.Type, index: Int, fieldMetadata: UnsafeMutablePointer<ReflectedField>
) -> Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func reflectedOffset(_: Any.Type, index: Int) -> Int

/// One stored property of a class or a struct, or one element of a tuple.
package struct StoredField: Sendable {
    package enum Ownership: Sendable {
        case strong, weak, unowned, unmanaged
    }

    /// The name in the runtime's records.
    package let name: String
    /// The name in the source, without the prefix of a lazy or wrapped property.
    package let shownName: String
    package let type: Any.Type
    /// The offset in the object or the value.
    package let offset: Int
    package let isVariable: Bool
    package let ownership: Ownership
    package let isLazy: Bool
    /// The key for finding the type of a noncopyable property, for which the runtime returns none; nil for
    /// others.
    package let noncopyable: NoncopyableField?
    /// True if the name is one of those usual for secrets.
    package let isSecretByName: Bool
    /// The role of the property in a name/value pair.
    let role: NameValuePair.Role?

    init(
        name: String, shownName: String, type: Any.Type, offset: Int, isVariable: Bool,
        ownership: Ownership, isLazy: Bool, noncopyable: NoncopyableField?
    ) {
        self.name = name
        self.shownName = shownName
        self.type = type
        self.offset = offset
        self.isVariable = isVariable
        self.ownership = ownership
        self.isLazy = isLazy
        self.noncopyable = noncopyable
        isSecretByName = SecretProperty.isSecret(name: shownName, of: type)
        role = NameValuePair.Role(label: shownName)
    }

    /// True if the type is noncopyable.
    package var isNoncopyable: Bool { noncopyable != nil }

    /// Returns true if both are the same property of a type. The offset alone is not enough, because a
    /// property without size has the offset of the next one. The name alone is not enough, because a class
    /// may have a property of the same name as its superclass.
    package func isSame(as other: StoredField) -> Bool {
        offset == other.offset && name == other.name && type == other.type
    }

    /// True for a tuple element without a label.
    var isUnlabelled: Bool { shownName.hasPrefix(".") }

    static let lazyPrefix = "$__lazy_storage_$_"
    /// Storage that the compiler or a macro adds.
    static let hidden: Set<String> = ["$defaultActor", "_$observationRegistrar"]
}
#endif
