#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The location of a word in an object, by the object's class: a property, an element, a key.
struct WordPlace {
    /// `property`, `element`, `key`, `value`, `weak`, `unowned`: the word used in answers.
    var kind: String
    /// `cover`, `[3]`, `settings.folder`; nil if unknown.
    var text: String?
    /// True if the type has no reference at this offset.
    var isUncertain = false
    /// True if the property, or one that contains it, is secret.
    var isMasked = false
    /// The key in `text`; secret if its dictionary is.
    var key: String?

    /// The location of the word at an offset in an object of a class.
    static func of(
        _ offset: UInt, in object: UInt, _ type: Any.Type, _ masks: MaskPolicy
    ) -> WordPlace {
        let name = _typeName(type, qualified: true)
        if name.hasPrefix("Swift._ContiguousArrayStorage<") {
            return element(offset, type) ?? WordPlace(kind: "element")
        }
        if name.hasPrefix("Swift._DictionaryStorage<") {
            return entry(offset, in: object, type, masks, isSet: false) ?? WordPlace(kind: "value")
        }
        if name.hasPrefix("Swift._SetStorage<") {
            return entry(offset, in: object, type, masks, isSet: true)
                ?? WordPlace(kind: "element")
        }
        guard let found = part(of: type, FieldCache.fields(of: type), Int(clamping: offset), masks)
        else { return WordPlace(kind: "property", isUncertain: true) }
        let kind =
            switch found.ownership {
            case .weak: "weak"
            case .unowned, .unmanaged: "unowned"
            case .strong: "property"
            }
        return WordPlace(
            kind: kind, text: found.name, isUncertain: !found.isReference,
            isMasked: found.isMasked || masks.masks(found: type))
    }

    // MARK: Properties

    private struct Part {
        var name: String
        var ownership: StoredField.Ownership
        var isReference: Bool
        var isMasked = false
    }

    /// The path of the property at an offset: `settings.folder`.
    private static func part(
        of type: Any.Type, _ fields: [StoredField], _ offset: Int, _ masks: MaskPolicy,
        depth: Int = 0
    ) -> Part? {
        // A noncopyable property has no type here, and extends to the next property.
        guard let index = fields.lastIndex(where: { $0.offset <= offset }) else { return nil }
        let field = fields[index]
        let name =
            field.shownName.hasPrefix(".") ? String(field.shownName.dropFirst()) : field.shownName
        let isMasked =
            masks.masks(type: type)
            || masks.masks(part: field.shownName, of: type, isNamedSo: field.isSecretByName)
        if field.isNoncopyable {
            return Part(name: name, ownership: .strong, isReference: true, isMasked: isMasked)
        }
        let inside = offset - field.offset
        let size = field.ownership == .strong ? TypeMetadata(field.type).size : 8
        guard inside < max(size, 1) else { return nil }
        guard field.ownership == .strong else {
            return Part(
                name: name, ownership: field.ownership, isReference: true, isMasked: isMasked)
        }
        guard depth < 8, let inner = self.inner(field.type, inside, masks, depth: depth + 1) else {
            return Part(
                name: name, ownership: .strong, isReference: !TypeMetadata(field.type).isTrivial,
                isMasked: isMasked || masks.masks(type: field.type))
        }
        return Part(
            name: "\(name).\(inner.name)", ownership: inner.ownership,
            isReference: inner.isReference, isMasked: isMasked || inner.isMasked)
    }

    private static func inner(
        _ type: Any.Type, _ offset: Int, _ masks: MaskPolicy, depth: Int
    ) -> Part? {
        switch TypeShape.of(type) {
        case .optional(let wrapped): inner(wrapped, offset, masks, depth: depth)
        case .structure(let fields), .tuple(let fields):
            part(of: type, fields, offset, masks, depth: depth)
        default: nil
        }
    }

    /// The location of a word inside an element.
    private static func suffix(_ type: Any.Type, _ offset: Int) -> (text: String, isReference: Bool)
    {
        let part = inner(type, offset, .none, depth: 0)
        return (
            part.map { ".\($0.name)" } ?? "", part?.isReference ?? !TypeMetadata(type).isTrivial
        )
    }

    // MARK: Elements

    private static func element(_ offset: UInt, _ type: Any.Type) -> WordPlace? {
        guard let element = TypeMetadata(type).classArgument(0) else { return nil }
        let metadata = TypeMetadata(element)
        let first = metadata.offset(behind: 32)
        guard offset >= first else { return nil }
        let (index, rest) = (offset - first).quotientAndRemainder(
            dividingBy: UInt(metadata.stride))
        let (text, isReference) = suffix(element, Int(rest))
        return WordPlace(kind: "element", text: "[\(index)]\(text)", isUncertain: !isReference)
    }

    /// The layout is described at ``HashStorage``.
    private static func entry(
        _ offset: UInt, in object: UInt, _ type: Any.Type, _ masks: MaskPolicy, isSet: Bool
    ) -> WordPlace? {
        let metadata = TypeMetadata(type)
        guard let key = metadata.classArgument(0),
            let keys = GuardedMemory.load(UInt.self, at: object &+ 48)
        else { return nil }
        let address = object &+ offset
        if !isSet, let value = metadata.classArgument(1),
            let values = GuardedMemory.load(UInt.self, at: object &+ 56), address >= values
        {
            let (bucket, rest) = (address - values).quotientAndRemainder(
                dividingBy: UInt(TypeMetadata(value).stride))
            let (text, isReference) = suffix(value, Int(rest))
            let named = self.key(
                key, at: keys &+ bucket &* UInt(TypeMetadata(key).stride), masks)
            return WordPlace(
                kind: "value", text: "[\(named)]\(text)", isUncertain: !isReference, key: named)
        }
        guard address >= keys else { return nil }
        let rest = Int((address - keys) % UInt(TypeMetadata(key).stride))
        let (text, isReference) = suffix(key, rest)
        return WordPlace(
            kind: isSet ? "element" : "key", text: text.isEmpty ? nil : text,
            isUncertain: !isReference)
    }

    /// A dictionary key as a Swift literal, if it is a number or a short text.
    private static func key(
        _ type: Any.Type, at address: UInt, _ masks: MaskPolicy
    ) -> String {
        guard !masks.masks(type: type) else { return MaskPolicy.text }
        guard let view = ValueView(of: type, at: address, in: .process, isStable: false) else {
            return "?"
        }
        switch TypeShape.of(type) {
        case .scalar(let kind): return kind.text(of: view) ?? "?"
        case .string:
            guard let content = StringStorage.read(view, limit: 60), content.isWhole else {
                return "…"
            }
            let masked =
                masks.isActive
                ? SecretURL.masking(content.text, isWhole: true, names: masks.names) : nil
            return "\"\(masked ?? content.text)\""
        default: return "…"
        }
    }
}
#endif
