#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Weak and unowned references in their storage: the compiler's own code loads and assigns them, so that the
/// objects' reference counts stay correct.
enum HeldReference {
    /// The layout of a `weak` property, without the witness tables of an existential after it.
    struct WeakReference {
        weak var object: AnyObject?
    }

    /// The layout of an `unowned` property.
    private struct UnownedReference {
        unowned var object: AnyObject?
    }

    /// The object that the reference refers to; `nil` if it is gone or was never set.
    static func object(_ field: StoredField, at place: UnsafeMutableRawPointer) -> AnyObject? {
        if field.ownership == .weak {
            return place.assumingMemoryBound(to: WeakReference.self).pointee.object
        }
        // Loading the reference as `unowned` would crash the process if the object were gone.
        guard
            case .object(let address)? = ReferenceStorage.unownedTarget(
                place.load(as: UInt.self), in: .process),
            let object = UnsafeRawPointer(bitPattern: address)
        else { return nil }
        return Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
    }

    /// The reference's value as the declared type; `nil` for an unowned one whose object is gone.
    static func load(_ field: StoredField, at place: UnsafeMutableRawPointer) -> Any? {
        if let object = object(field, at: place) { return .some(object as Any) }
        guard let optional = field.type as? any OptionalAccess.Type else { return nil }
        return optional.wrap(nil)
    }

    /// Assigns an object or `nil`. Returns false, and changes nothing, if the value is not of the declared
    /// type.
    static func assign(
        _ value: Any, _ field: StoredField, at place: UnsafeMutableRawPointer
    ) -> Bool {
        let word = MemoryLayout<UInt>.size
        return TypedMemory.withMemory(for: field.type) { memory in
            guard TypedMemory.initialize(memory, to: value, as: field.type) else { return false }
            defer { TypedMemory.destroy(field.type, at: memory) }
            let object = UnsafeRawPointer(bitPattern: memory.load(as: UInt.self)).map {
                Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue()
            }
            if field.ownership == .weak {
                place.assumingMemoryBound(to: WeakReference.self).pointee.object = object
            } else {
                place.assumingMemoryBound(to: UnownedReference.self).pointee.object = object
            }
            // The witness tables of an existential follow the reference.
            let rest = TypeMetadata(field.type).size - word
            if object != nil, rest > 0 {
                (place + word).copyMemory(from: memory + word, byteCount: rest)
            }
            return true
        }
    }
}

/// Checks a value of the host's before its references are retained.
enum CheckedReference {
    /// Enums of the host's own are not looked into.
    ///
    /// - Throws: `.unsupported` if the type is a class, an existential, a string or a collection, or a struct or
    ///   a tuple that holds one, and its words don't refer to an object or to a type.
    static func check(
        _ declared: Any.Type, at address: UnsafeMutableRawPointer, _ rendered: String
    ) throws(CommandFailure) {
        guard let type = ChangedType.payload(of: declared, at: address) else { return }
        let place = UInt(bitPattern: address)
        let isCollection =
            type is any ArrayAccess.Type || type is any DictionaryAccess.Type
            || type is any SetAccess.Type
        guard
            isCollection
                ? ReferenceCheck.isObject(at: place) : ReferenceCheck.isSound(type, at: place)
        else {
            throw CommandFailure(
                .unsupported,
                "\(rendered) is not readable: it does not refer to \(ChangedType.withArticle(type))",
                hint: "the service has damaged it, or is using it after its end")
        }
    }
}
#endif
