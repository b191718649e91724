#if TELLTALE_AGENT
import Synchronization
import TelltalePicture
import TelltaleSystem

/// A stored property with a noncopyable type: `Mutex`, `Atomic`, a struct of the host.
///
/// The runtime returns `()` for its type, because the field's record contains a compiled function that
/// returns `()`. But there is a symbol at the address of the record's text, and it contains the type's
/// mangled name: `get_type_metadata 15Synchronization5MutexVySiG noncopyable.3`. It exists in debug and
/// optimised builds, also without debug data, but not in stripped programs. Checked against swift-6.3.1.
package struct NoncopyableField: Sendable {
    /// The kind of the property's value.
    package enum Finding: Sendable {
        /// A lock's word, and the offset of the guarded value after it.
        case mutex(value: Any.Type, offset: Int)
        case atomic(value: Any.Type)
        /// A value of a type of the host, or of another type that contains a lock.
        case value(Any.Type)
        case unreadable(type: String?, reason: String)
    }

    private struct Key: Hashable {
        let record: UInt
        let owner: ObjectIdentifier
    }

    private static let known = Locked<[Key: Finding]>([:])
    /// The timeout for reading files to find a symbol.
    private static let timeout: Duration = .milliseconds(500)

    /// The address of the record's text.
    private let record: UInt
    /// The type that declares the property.
    private let owner: Any.Type
    /// True if the type involves a C block.
    private let isBlock: Bool

    /// nil if the record has no text.
    init?(
        _ declared: (record: TypeDescriptor.Record, owner: Any.Type), isBlock: Bool = false
    ) {
        guard let text = declared.record.mangled?.baseAddress else { return nil }
        record = UInt(bitPattern: text)
        owner = declared.owner
        self.isBlock = isBlock
    }

    /// Clears the cache, so that every property is looked up again.
    static func forget() { known.withLock { $0 = [:] } }

    /// The kind and the type of the value. Reads the program's file once for each property.
    package var finding: Finding {
        guard !isBlock else {
            return .unreadable(
                type: "@convention(block)", reason: "not readable: it is made from a C block")
        }
        let key = Key(record: record, owner: ObjectIdentifier(owner))
        if let known = Self.known.withLock({ $0[key] }) { return known }
        guard let name = symbol() else {
            return .unreadable(type: nil, reason: "not readable: symbols were stripped")
        }
        let finding = find(name)
        Self.known.withLock { $0[key] = finding }
        return finding
    }

    private func symbol() -> String? {
        let symbols = RuntimeCaches.current.symbolicator
        let found = symbols.names(of: [record], deadline: .now.advanced(by: Self.timeout)).first
        guard let found, let symbol = found.symbol, found.offset == 0,
            symbol.hasPrefix(Self.prefix)
        else { return nil }
        let rest = symbol.dropFirst(Self.prefix.count)
        return rest.firstIndex(of: " ").map { String(rest[..<$0]) }
    }

    private static let prefix = "get_type_metadata "

    private func find(_ name: String) -> Finding {
        // A symbol with a generic signature is not the mangled name of a type, so its demangled name may be
        // nil.
        let unknown = Finding.unreadable(
            type: SymbolName.demangled("$s\(name)D"),
            reason: "not readable: its type is not understood")
        guard let (type, references) = MangledType.parse(name) else { return unknown }
        let module = type.path.first?.name
        let isLibrarys = module == "Synchronization" && type.path.count == 2
        guard isLibrarys, let argument = type.arguments.first, type.arguments.count == 1 else {
            return self.value(name) ?? unknown
        }
        let context = genericContext
        guard
            let value = MangledType.type(
                of: argument, references, in: context?.descriptor, arguments: context?.arguments)
        else { return unknown }
        switch type.path.last?.name {
        case "Mutex" where MutexLayout.isKnown:
            return .mutex(
                value: value, offset: Int(TypeMetadata(value).offset(behind: MutexLayout.header)))
        case "Atomic": return .atomic(value: value)
        default: return self.value(name) ?? unknown
        }
    }

    /// A value whose type the runtime finds if every type in it is a reference instead of a name.
    private func value(_ name: String) -> Finding? {
        guard let (type, references) = MangledType.parse(name, refersToAll: true) else {
            return nil
        }
        let context = genericContext
        return MangledType.type(
            of: type.text, references, in: context?.descriptor, arguments: context?.arguments
        ).map { .value($0) }
    }

    private var genericContext: (descriptor: UnsafeRawPointer, arguments: UnsafeRawPointer?)? {
        let metadata = TypeMetadata(owner)
        return metadata.descriptor.map {
            (
                $0.pointer,
                metadata.kind == .classType
                    ? $0.arguments(of: metadata) : metadata.genericArguments
            )
        }
    }
}

/// The layout of a `Mutex`, tested once on one of our own.
package enum MutexLayout {
    /// The size of the lock's word; the value follows, aligned.
    package static let header: UInt = 4

    /// The thread that holds a lock with this word; 0 if it is free.
    package static func holder(of word: UInt32) -> UInt32 { word & 0x3FFF_FFFF }

    private final class Sample: Sendable { let mutex = Mutex<UInt64>(0x7E11_7A1E) }

    /// The type of a noncopyable value, which no expression can name as `Any.Type`.
    static func type<Value: ~Copyable>(of _: Value.Type) -> Any.Type {
        unsafeBitCast(Value.self, to: Any.Type.self)
    }

    /// True if the layout is as expected in this process.
    static let isKnown: Bool = {
        let sample = Sample()
        let base = UInt(bitPattern: Unmanaged.passUnretained(sample).toOpaque())
        return sample.mutex.withLock { value in
            withUnsafePointer(to: &value) { pointer in
                // After the object's header of two words.
                guard UInt(bitPattern: pointer) == base + 24,
                    let word = GuardedMemory.load(UInt32.self, at: base + 16)
                else { return false }
                return Int64(holder(of: word)) == NativeThread.currentID
            }
        }
    }()
}
#endif
