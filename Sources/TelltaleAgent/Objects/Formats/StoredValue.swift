#if TELLTALE_AGENT
import TelltaleRuntime
import TelltaleSystem

/// A value of the host in memory, for a format that reads it in place.
///
/// Every read works on copied bytes, of the process or of a copy-on-write snapshot of it. Whatever the bytes
/// are, nothing is retained and no host code runs.
package struct StoredValue {
    let view: ValueView

    init(_ view: ValueView) { self.view = view }

    /// Reads a value of the agent's own, to check that a type is stored as a format expects; `nil` if it
    /// could not be read.
    package static func reading<Value, Result>(
        _ value: Value, _ body: (StoredValue) -> Result?
    ) -> Result? {
        withUnsafePointer(to: value) { pointer in
            ValueView(ofOwn: Value.self, at: pointer).flatMap { body(StoredValue($0)) }
        }
    }

    /// A stored property of a struct, or of the object that a reference refers to; `nil` if there is no such
    /// property or it can't be read.
    package func property(_ name: String) -> StoredValue? {
        guard let base = referent,
            let field = FieldCache.fields(of: base.type).first(where: { $0.name == name }),
            field.ownership == .strong, !field.isNoncopyable
        else { return nil }
        return StoredValue(base.part(at: field.offset, type: field.type))
    }

    private var referent: ValueView? {
        guard TypeMetadata(view.type).kind == .classType else { return view }
        guard let address = view.word(),
            let type = MetadataCheck.classOfObject(at: address, in: view.source)
        else { return nil }
        return NodeMaker.instance(at: address, of: type, in: view.source)
    }

    /// The value in an optional.
    ///
    /// - Returns: `nil` if the bytes are not a valid optional; `.some(nil)` for `.none`.
    package var wrapped: StoredValue?? {
        guard case .optional(let wrapped) = TypeShape.of(view.type),
            let isSome = view.isSome
        else { return nil }
        return .some(isSome ? StoredValue(view.part(type: wrapped)) : nil)
    }

    /// An enum's case and its payload.
    package var enumeration: (name: String, payload: StoredValue?)? {
        guard case .enumeration(let layout) = TypeShape.of(view.type),
            let current = layout.currentCase(of: view)
        else { return nil }
        return (current.name, layout.payload(of: view, case: current).map(StoredValue.init))
    }

    /// Up to `most` elements of an array and its count; `nil` if they can't be read.
    package func elements(most: Int) -> (parts: [StoredValue], count: Int)? {
        guard let storage = NodeMaker.array(view) else { return nil }
        var parts: [StoredValue] = []
        storage.forEach(in: 0..<min(storage.count, most)) { _, element in
            guard let element else { return false }
            parts.append(StoredValue(element))
            return true
        }
        return parts.count == min(storage.count, most) ? (parts, storage.count) : nil
    }

    /// A number at an offset in the value's bytes.
    package func load<Value: BitwiseCopyable>(_ type: Value.Type, at offset: Int = 0) -> Value? {
        let size = MemoryLayout<Value>.size
        guard offset >= 0, offset <= TypeMetadata(view.type).size - size else { return nil }
        return view.load(type, at: offset)
    }

    /// The value's own bytes.
    package var bytes: [UInt8]? {
        withExtendedLifetime(view.block) { view.bytes.map(Array.init) }
    }

    /// Bytes at an address that the value points to.
    package func bytes(at address: UInt, count: Int) -> [UInt8]? {
        guard let block = MemoryBlock(reading: address, count: count, in: view.source) else {
            return nil
        }
        return withExtendedLifetime(block) { block.bytes(at: 0, count: count).map(Array.init) }
    }

    /// The text of a `String`, up to `limit` bytes of it, and its byte count.
    package func string(limit: Int) -> (text: String, byteCount: Int)? {
        guard view.type == String.self, MetadataLayout.current.has(.strings) else { return nil }
        return StringStorage.read(view, limit: limit).map { ($0.text, $0.byteCount) }
    }
}
#endif
