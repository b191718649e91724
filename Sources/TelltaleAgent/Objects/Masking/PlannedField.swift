#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

/// A stored property that a path can name, with the decision whether it is masked: for reading and for
/// changing.
struct PlannedField {
    let field: StoredField
    let isMasked: Bool
    /// The property that holds this one's name, in a name-and-value pair.
    let namedBy: StoredField?

    /// The stored properties of a class, a struct or a tuple that are shown. The labels of a tuple count as
    /// names like those of properties.
    static func all(of type: Any.Type, by masks: MaskPolicy) -> [PlannedField] {
        var fields = FieldCache.fields(of: type)
        if let names = (type as? any TelltaleReflectable.Type)?.telltaleFields {
            fields = names.compactMap { name in
                fields.last { $0.shownName == name || $0.name == name }
            }
        }
        let pair = masks.isActive ? FieldCache.pair(in: fields) : nil
        return fields.enumerated().map { index, field in
            let isName = pair?.name == index && field.canNameAnother
            return PlannedField(
                field: field,
                isMasked: masks.masks(
                    part: field.shownName, of: type,
                    isNamedSo: field.isSecretByName && !isName),
                namedBy: pair.flatMap { pair in
                    pair.values.contains(index) && !masks.isLifted(field.shownName, of: type)
                        ? fields[pair.name] : nil
                })
        }
    }
}

extension [PlannedField] {
    /// The property with a name in the source or in the runtime's records. The last one counts, because a
    /// subclass's private property hides one of the same name in its superclass. A tuple's elements are `0`
    /// and so on, whatever their labels.
    func named(_ name: String) -> PlannedField? {
        last { NodeMaker.step($0.field.shownName) == name }
            ?? last { NodeMaker.step($0.field.name) == name }
    }

    /// The index of the property that holds another one's name.
    func naming(_ planned: PlannedField) -> Int? {
        planned.namedBy.flatMap { name in firstIndex { $0.field.isSame(as: name) } }
    }
}

extension StoredField {
    /// True if the property can be the name of another one: the `key` of a pair is a text, the `key` of a
    /// cipher is bytes.
    fileprivate var canNameAnother: Bool {
        switch TypeShape.of(type) {
        case .string, .substring, .staticString, .character, .scalar, .enumeration,
            .anyHashable,
            .existential:
            true
        case .structure: ValueFormats.format(for: type) == nil && name.hasPrefix(".")
        default: false
        }
    }
}
#endif
