#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension ReadSession {
    /// Whether the reading begins at an object that was found by its class or its address.
    var isRootFound: Bool {
        if case .handle = ValuePath.Root(named: rootName) { return true }
        return rootName == Self.unnamed
    }
}

/// The program's own classes whose objects stand in properties that are secrets. One that is found on the heap
/// by its class comes without the property's name, and may be what that masks.
final class SecretClasses: Sendable {
    private struct Known {
        /// Of the images that there were, and of what was kept of types.
        var images: Int
        var generation: UInt64
        var classes: Set<ObjectIdentifier>
        var looked = MonotonicTime.now
    }

    /// How long it isn't asked whether there are other images: many objects are looked at one after another.
    private static let pause = Duration.seconds(1)
    private let known = Locked<Known?>(nil)

    /// Whether a type or one that it inherits from is such a class.
    ///
    /// - Complexity: The first time the names of all properties that the program declares are read: some
    ///   milliseconds for a thousand types.
    func contains(_ type: Any.Type, by masks: MaskPolicy) -> Bool {
        let classes = classes(by: masks)
        var next: Any.Type? = classes.isEmpty ? nil : type
        for _ in 0..<64 {
            guard let current = next else { return false }
            if classes.contains(ObjectIdentifier(current)) { return true }
            next = TypeMetadata(current).superclass
        }
        return false
    }

    private func classes(by masks: MaskPolicy) -> Set<ObjectIdentifier> {
        let (generation, now) = (PlanPool.generation, MonotonicTime.now)
        let recent = known.withLock { known -> Set<ObjectIdentifier>? in
            guard let known, known.generation == generation else { return nil }
            return now.since(known.looked) < Self.pause ? known.classes : nil
        }
        if let recent { return recent }
        // Where the images can't be listed now, what was known of them holds.
        guard let images = LoadedImages.read() else { return known.withLock { $0?.classes } ?? [] }
        let count = images.all.count
        let current = known.withLock { known -> Set<ObjectIdentifier>? in
            guard known?.images == count, known?.generation == generation else { return nil }
            known?.looked = now
            return known?.classes
        }
        if let current { return current }
        let classes = Self.found(in: ProgramTypes.all(images), masks)
        known.withLock {
            $0 = Known(images: count, generation: generation, classes: classes)
        }
        return classes
    }

    private static func found(
        in types: [DescriptorSearch.Declared], _ masks: MaskPolicy
    ) -> Set<ObjectIdentifier> {
        let own = Set(types.map { $0.descriptor.pointer })
        var found: Set<ObjectIdentifier> = []
        for declared in types {
            // Most types have no such name, and their properties' types are not asked for.
            let isNamedSo = declared.descriptor.records.contains { record in
                let name = MaskPolicy.plainName(record.name)
                return masks.masks(name: name) || MaskPolicy.isSecret(name: name, of: Any.self)
            }
            guard let type = declared.descriptor.metadata,
                isNamedSo || type is any TelltaleReflectable.Type
            else { continue }
            for field in FieldCache.fields(of: type) where masks.masks(field, of: type) {
                collect(field.type, own, &found)
            }
        }
        return found
    }

    /// Takes a class of the program's, also out of optionals and collections; others are used for anything.
    private static func collect(
        _ type: Any.Type, _ own: Set<UnsafeRawPointer>, _ found: inout Set<ObjectIdentifier>,
        depth: Int = 8
    ) {
        guard depth > 0 else { return }
        switch type {
        case let optional as any OptionalAccess.Type:
            collect(optional.wrapped, own, &found, depth: depth - 1)
        case let array as any ArrayAccess.Type:
            collect(array.element, own, &found, depth: depth - 1)
        case let set as any SetAccess.Type: collect(set.element, own, &found, depth: depth - 1)
        case let dictionary as any DictionaryAccess.Type:
            collect(dictionary.key, own, &found, depth: depth - 1)
            collect(dictionary.value, own, &found, depth: depth - 1)
        default:
            let metadata = TypeMetadata(type)
            if metadata.kind == .classType, let descriptor = metadata.descriptor,
                own.contains(descriptor.pointer)
            {
                found.insert(ObjectIdentifier(type))
            }
        }
    }
}
#endif
