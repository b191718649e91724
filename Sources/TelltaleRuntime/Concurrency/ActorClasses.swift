#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleProtocol
package import TelltaleSystem

/// The actor types of the process, found in the data of its images.
///
/// Nothing of the runtime is called: a metadata accessor may take locks that the host holds. Generic actors
/// have their metadata on the heap; such an actor is found only if a task waits for it.
package final class ActorClasses: Sendable {
    package struct Class: Sendable {
        package var name: String
        /// True for a default actor, whose job queue the runtime manages.
        package var isDefault: Bool
    }

    /// The classes by the first word (isa) of their objects.
    package let classes: [FirstWord: Class]
    /// The descriptors of classes whose name could not be read.
    private let nameless: [FirstWord: UInt]
    private let images: LoadedImages

    private static let known = Locked<ActorClasses?>(nil)
    private static let mostOfAnImage = 1024

    private init(images: LoadedImages, classes: [FirstWord: Class], nameless: [FirstWord: UInt]) {
        self.images = images
        self.classes = classes
        self.nameless = nameless
    }

    /// Returns the current classes, and true if the search was complete; nil if the images can't be listed.
    /// Images are searched again only if one was loaded or unloaded, or if `deadline` cut the last search
    /// short.
    package static func current(
        until deadline: MonotonicTime
    ) -> (classes: ActorClasses, areAll: Bool)? {
        let previous = known.withLock { $0 }
        guard let images = LoadedImages.read(after: previous?.images) else { return nil }
        if let previous, images === previous.images { return (previous.named(), true) }
        guard let found = search(images, until: deadline) else { return nil }
        if found.areAll { known.withLock { $0 = found.classes } }
        return found
    }

    /// Searches the images, however often that was done before; nil if there is no memory for it.
    static func search(
        _ images: LoadedImages, until deadline: MonotonicTime
    ) -> (classes: ActorClasses, areAll: Bool)? {
        var classes: [FirstWord: Class] = [:]
        var nameless: [FirstWord: UInt] = [:]
        let room = UnsafeMutableBufferPointer<CTelltaleActorClass>.allocate(
            capacity: mostOfAnImage)
        defer { room.deallocate() }
        guard let start = room.baseAddress else { return nil }
        for image in images.all where !image.isVDSO {
            guard .now < deadline else {
                return (
                    ActorClasses(images: images, classes: classes, nameless: nameless), false
                )
            }
            let count = ctelltale_actor_classes(image.low, image.bias, start, room.count)
            for found in room.prefix(count) {
                ForkGate.rest()
                let name = name(descriptor: found.descriptor)
                let word = FirstWord(found.metadata)
                if name == nil { nameless[word] = found.descriptor }
                classes[word] = Class(
                    name: name ?? title(found.descriptor), isDefault: found.is_default)
            }
        }
        return (ActorClasses(images: images, classes: classes, nameless: nameless), true)
    }

    // Retries the names that could not be read before. Returns this object if there are no new ones.
    private func named() -> ActorClasses {
        let names = nameless.compactMapValues { Self.name(descriptor: $0) }
        guard !names.isEmpty else { return self }
        var classes = classes
        for (metadata, name) in names { classes[metadata]?.name = name }
        let made = ActorClasses(
            images: images, classes: classes, nameless: nameless.filter { names[$0.key] == nil }
        )
        Self.known.withLock { $0 = made }
        return made
    }

    /// The actor class of an object. Also finds classes that aren't in the images.
    package func ofObject(at address: UInt) -> Class? {
        guard let word = GuardedMemory.load(UInt.self, at: address) else { return nil }
        if let known = classes[FirstWord(word)] { return known }
        var found = CTelltaleActorClass()
        guard ctelltale_actor_class(word, &found) else { return nil }
        return Class(
            name: Self.name(descriptor: found.descriptor) ?? Self.title(found.descriptor),
            isDefault: found.is_default)
    }

    /// The class name of any Swift object; nil if there is no Swift object at the address.
    package static func className(at address: UInt) -> String? {
        guard let word = GuardedMemory.load(UInt.self, at: address), word & 7 == 0, word > 4096,
            GuardedMemory.load(UInt.self, at: word) == 0,
            let descriptor = GuardedMemory.load(UInt.self, at: word &+ 40),
            descriptor & 3 == 0, descriptor > 4096,
            let flags = GuardedMemory.load(UInt32.self, at: descriptor), flags & 0x1F == 16
        else { return nil }
        return name(descriptor: descriptor)
    }

    private static func title(_ descriptor: UInt) -> String {
        "type " + Quantity.address(descriptor)
    }

    /// A type's name, qualified with its enclosing types but not its module; nil if it can't be read.
    private static func name(descriptor: UInt) -> String? {
        var parts: [String] = []
        var context = descriptor
        for _ in 0..<8 {
            guard let flags = GuardedMemory.load(UInt32.self, at: context) else { break }
            switch flags & 0x1F {
            case 16...18:
                guard let name = relative(at: context &+ 8).flatMap(text) else { return nil }
                let isGeneric = flags & 0x80 != 0
                parts.append(isGeneric ? name + "<…>" : name)
            // An extension, or a private or local context.
            case 1, 2: break
            default: return parts.isEmpty ? nil : parts.reversed().joined(separator: ".")
            }
            guard let parent = parent(of: context) else { break }
            context = parent
        }
        return parts.isEmpty ? nil : parts.reversed().joined(separator: ".")
    }

    // The target of a relative pointer.
    private static func relative(at address: UInt) -> UInt? {
        guard let distance = GuardedMemory.load(Int32.self, at: address), distance != 0 else {
            return nil
        }
        return address &+ UInt(bitPattern: Int(distance))
    }

    // Bit 0 of the distance marks an indirect pointer.
    private static func parent(of context: UInt) -> UInt? {
        guard let target = relative(at: context &+ 4) else { return nil }
        return target & 1 == 0 ? target : GuardedMemory.load(UInt.self, at: target & ~1)
    }

    private static func text(at address: UInt) -> String? {
        guard address != 0, let text = DispatchText.string(at: address, repairing: true) else {
            return nil
        }
        return text.isEmpty ? nil : text
    }
}
#endif
