#if TELLTALE_AGENT
import CTelltaleSystem

/// The cases of an enum in the order of their tags. Also creates values of a case.
///
/// Checked against swift-6.3.1.
package struct EnumLayout: Sendable {
    package struct Case: Sendable {
        package let name: String
        fileprivate let copyable: Any.Type?
        fileprivate let noncopyable: NoncopyableField?
        package let hasPayload: Bool
        /// True if the payload is in a box of its own.
        package let isIndirect: Bool
        /// True if the name is one of those usual for secrets.
        package let isSecretByName: Bool

        /// nil for a case without payload, and for a payload of unknown type.
        package var payload: Any.Type? {
            guard let noncopyable else { return copyable }
            if case .value(let type) = noncopyable.finding { return type }
            return nil
        }

        /// True if no value of the case can be created: its payload is noncopyable, or of a type that the
        /// runtime can't name.
        package var isOutOfReach: Bool { hasPayload && copyable == nil || noncopyable != nil }
    }

    package let type: Any.Type
    /// Empty if the build leaves the records of cases out.
    package let cases: [Case]

    /// Looks up the cases of an enum.
    package init(of type: Any.Type) {
        self.type = type
        let metadata = TypeMetadata(type)
        guard let descriptor = metadata.descriptor else {
            cases = []
            return
        }
        cases = descriptor.records.map { record in
            let isBlock = record.isMadeFromBlock
            let mangled = isBlock ? nil : record.mangled
            let payload = mangled.flatMap { name in
                name.baseAddress.flatMap {
                    _getTypeByMangledNameInContext(
                        $0.assumingMemoryBound(to: UInt8.self), UInt(name.count),
                        genericContext: descriptor.pointer,
                        genericArguments: metadata.genericArguments)
                }
            }
            // The runtime returns `()` for a noncopyable type.
            let isVoid = record.mangled?.elementsEqual("yt".utf8) ?? true
            let isNoncopyable = isBlock || payload == Void.self && !isVoid
            return Case(
                name: record.name, copyable: payload,
                noncopyable: isNoncopyable
                    ? NoncopyableField((record, type), isBlock: isBlock) : nil,
                hasPayload: record.mangled != nil,
                isIndirect: record.isIndirect,
                isSecretByName: SecretProperty.isSecret(name: record.name, of: payload ?? Any.self))
        }
    }

    /// Returns the case of a value; nil if the bytes are not a valid value.
    package func currentCase(of view: ValueView) -> Case? { currentTag(of: view).map { cases[$0] } }

    /// Returns the index of a value's case; nil if the bytes are not a valid value.
    package func currentTag(of view: ValueView) -> Int? {
        guard let scratch = Self.scratch(view), let pointer = scratch.pointer(at: 0),
            let tag = TypeMetadata(view.type).enumTag(of: pointer), cases.indices.contains(tag)
        else { return nil }
        return tag
    }

    /// Returns the payload of a value of a case; nil if it has none, or it can't be read.
    package func payload(of view: ValueView, case current: Case) -> ValueView? {
        guard let type = current.payload, let scratch = Self.scratch(view),
            let pointer = scratch.pointer(at: 0)
        else { return nil }
        TypeMetadata(view.type).projectPayload(of: pointer)
        let payload = ValueView(block: scratch, offset: 0, type: type, isStable: view.isStable)
        // A box never changes after its creation.
        return current.isIndirect ? payload.word().flatMap { view.boxed(type, at: $0) } : payload
    }

    private static func scratch(_ view: ValueView) -> MemoryBlock? {
        MemoryBlock(
            copying: view.block, offset: view.offset, count: TypeMetadata(view.type).size)
    }

    // MARK: Creating values

    /// The cases in the syntax of an expression: `.idle, .failed(code: Int)`.
    package var rendered: String {
        let shown = cases.prefix(12).map { entry in
            guard let payload = entry.payload else { return ".\(entry.name)" }
            let name = TypeNames.name(of: payload)
            return ".\(entry.name)"
                + (TypeMetadata(payload).kind == .tuple ? name : "(\(name))")
        }
        return shown.joined(separator: ", ") + (cases.count > shown.count ? ", …" : "")
    }

    /// Allocates a box and stores its reference in place of a payload. Returns the address of the box's
    /// content.
    private static func box(
        of type: Any.Type, in memory: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer? {
        var value = memory
        let box = ctelltale_box_make(TypeMetadata(type).pointer, &value)
        memory.storeBytes(of: box, as: UnsafeMutableRawPointer.self)
        return value
    }

    /// Returns a value of a case; nil if there is no such case, or the payload is not of its type. The
    /// payload is stored at the value's first byte, where all payloads are. Then the type's own value
    /// witness injects the tag.
    package func value(of name: String, payload: Any?) -> Any? {
        guard let tag = cases.firstIndex(where: { $0.name == name }) else { return nil }
        let entry = cases[tag]
        guard !entry.isOutOfReach else { return nil }
        return TypedMemory.withMemory(for: type) { memory -> Any? in
            if let payloadType = entry.payload {
                guard let payload, TypedMemory.isValue(payload, of: payloadType) else { return nil }
                let place = entry.isIndirect ? Self.box(of: payloadType, in: memory) : memory
                guard let place, TypedMemory.initialize(place, to: payload, as: payloadType) else {
                    return nil
                }
            }
            guard TypeMetadata(type).injectTag(tag, into: memory) else {
                if let payloadType = entry.payload {
                    TypedMemory.destroy(
                        entry.isIndirect ? AnyObject.self : payloadType, at: memory)
                }
                return nil
            }
            return .some(TypedMemory.take(type, at: memory))
        }
    }
}

extension TypeMetadata {
    /// Returns, for each byte of an enum's value, if it determines the case: those that the type's own
    /// witness writes completely, regardless of their previous content. Nil if the type is not an enum.
    package func bytesOfTag(_ tag: Int) -> [Bool]? {
        guard let low = bytes(of: tag, over: 0), let high = bytes(of: tag, over: 0xFF) else {
            return nil
        }
        return zip(low, high).map(==)
    }

    private func bytes(of tag: Int, over byte: UInt8) -> [UInt8]? {
        withUnsafeTemporaryAllocation(byteCount: max(size, 1), alignment: 64) { room in
            for index in room.indices { room[index] = byte }
            guard let start = room.baseAddress, writeTag(tag, into: start) else { return nil }
            return Array(room.prefix(size))
        }
    }
}
#endif
