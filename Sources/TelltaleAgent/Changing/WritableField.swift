#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import Synchronization

    /// One stored property of a class or struct, or one element of a tuple.
    struct WritableField: Sendable {
        /// How a field holds what it refers to.
        enum Reference: Sendable { case strong, weak, other }

        let name: String
        let type: Any.Type
        /// Bytes from the object's or the value's first.
        let offset: Int
        let isVariable: Bool
        let reference: Reference
    }

    /// The stored properties of types, from the runtime's own reflection.
    ///
    /// `swift_reflectionMirror_recursive…` are exported by libswiftCore for the standard library's
    /// `_forEachField`; unlike that they tell `var` from `let` and strong from weak. Looked up once
    /// for a type: 5 to 10 µs (measured).
    enum WritableFields {
        private static let capacity = 4096
        private static let known = Mutex<[ObjectIdentifier: [WritableField]]>([:])

        /// The fields of a type, those of its superclasses first.
        static func of(_ type: Any.Type) -> [WritableField] {
            let key = ObjectIdentifier(type)
            if let fields = known.withLock({ $0[key] }) { return fields }
            let fields = (0..<max(0, fieldCount(type))).map { read(type, $0) }
            known.withLock { known in
                if known.count >= capacity { known.removeAll(keepingCapacity: true) }
                known[key] = fields
            }
            return fields
        }

        private static func read(_ type: Any.Type, _ index: Int) -> WritableField {
            var facts = FieldFacts()
            let fieldType = fieldMetadata(type, index: index, fieldMetadata: &facts)
            defer { facts.free?(facts.name) }
            let name = facts.name.map { String(cString: $0) } ?? ""
            return WritableField(
                name: name, type: fieldType, offset: fieldOffset(type, index: index),
                isVariable: facts.isVariable,
                reference: facts.isStrong
                    ? .strong : FieldRecord.isWeak(name, in: type) ? .weak : .other)
        }
    }

    /// What the runtime says of a field (`FieldType` in the standard library's ReflectionMirror).
    private struct FieldFacts {
        var name: UnsafePointer<CChar>?
        var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
        var isStrong = false
        var isVariable = false
    }

    @_silgen_name("swift_reflectionMirror_recursiveCount")
    private func fieldCount(_ type: Any.Type) -> Int

    @_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
    private func fieldMetadata(
        _ type: Any.Type, index: Int, fieldMetadata: UnsafeMutablePointer<FieldFacts>
    ) -> Any.Type

    @_silgen_name("swift_reflectionMirror_recursiveChildOffset")
    private func fieldOffset(_ type: Any.Type, index: Int) -> Int
#endif
