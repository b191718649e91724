#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem
import TelltaleValues

extension ReadSession {
    /// True if the read starts at an object that was found by its class or its address.
    var isRootFound: Bool {
        if case .handle = ValuePath.Root(named: rootName) { return true }
        return false
    }
}

/// The program's own classes whose objects are held in secret properties. An object that is found on the heap
/// by its class comes without the property's name, and may be the one that the property masks.
final class SecretClasses: Sendable {
    private struct Known {
        /// The number of loaded images, and the generation of the type plans, that the answers are for.
        var images: Int
        var generation: UInt64
        var looked = MonotonicTime.now
        var answers: [ObjectIdentifier: Bool] = [:]
    }

    /// The time for which the loaded images are not checked again, because many objects are looked at in a
    /// row.
    private static let pause = Duration.seconds(1)
    private let known = Locked<Known?>(nil)

    /// Returns whether a type or one of its superclasses is such a class.
    ///
    /// - Complexity: Once for each class, the records of all properties that the program declares are
    ///   searched: some milliseconds for ten thousand of them.
    func contains(_ type: Any.Type, by masks: MaskPolicy) -> Bool {
        TypeMetadata.lineage(of: type).contains { isHeldAsSecret($0, masks) }
    }

    private func isHeldAsSecret(_ type: Any.Type, _ masks: MaskPolicy) -> Bool {
        let key = ObjectIdentifier(type)
        let (generation, now) = (PlanPool.generation, MonotonicTime.now)
        let recent = known.withLock { known -> Bool? in
            guard let known, known.generation == generation, now.since(known.looked) < Self.pause
            else { return nil }
            return known.answers[key]
        }
        if let recent { return recent }
        // If the images can't be listed now, the earlier answer is used.
        guard let images = LoadedImages.read() else {
            return known.withLock { $0?.answers[key] } ?? false
        }
        let count = images.all.count
        let current = known.withLock { known -> Bool? in
            if known?.images != count || known?.generation != generation {
                known = Known(images: count, generation: generation)
            }
            known?.looked = now
            return known?.answers[key]
        }
        if let current { return current }
        let isSecret = Self.isHeldAsSecret(type, masks, images)
        known.withLock { known in
            if known?.images == count, known?.generation == generation {
                known?.answers[key] = isSecret
            }
        }
        return isSecret
    }

    private static func isHeldAsSecret(
        _ type: Any.Type, _ masks: MaskPolicy, _ images: LoadedImages
    ) -> Bool {
        // Classes of other images are used for any purpose.
        func isOwn(_ address: UInt) -> Bool {
            guard let path = images.image(holding: address)?.path else { return false }
            return !CodeOrigin.isSystem(
                module: path.split(separator: "/").last.map(String.init) ?? "")
        }
        guard let descriptor = TypeMetadata(type).descriptor,
            isOwn(UInt(bitPattern: descriptor.pointer))
        else { return false }
        return DescriptorSearch.anyField(where: isOwn) { owner, record in
            guard record.mentions(descriptor) else { return false }
            let name = SecretProperty.plainName(record.name)
            let isNamedSo = SecretProperty.isSecret(name: name, of: type)
            // A generic declaring type has no metadata here that could be asked for the type's own masking.
            guard let declaring = owner?.metadata else {
                return isNamedSo || masks.masks(name: name)
            }
            return masks.masks(part: name, of: declaring, isNamedSo: isNamedSo)
        }
    }
}
#endif
