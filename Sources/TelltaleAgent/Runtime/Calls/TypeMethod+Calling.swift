#if TELLTALE_AGENT
extension TypeMethod {
    /// Calls a method that isn't async on an object, here.
    ///
    /// - Important: Runs host code: on the object's owner.
    /// - Returns: Nil, and nothing was called, where a value is not of its type or it can't be called.
    func call(on object: AnyObject, _ values: [Any]) -> SwiftCall.Outcome? {
        guard case .success(let callability) = callability, record == nil,
            var call = prepared(values, callability)
        else { return nil }
        let scratch = Scratch(for: signature)
        defer { scratch.end() }
        scratch.add(to: &call)
        let outcome = withExtendedLifetime(object) {
            call.run(
                address, selfWord: UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()),
                result: callability.result)
        }
        call.end(wasCalled: true)
        return outcome
    }

    /// Calls a method of a struct whose values are plain bytes, on the one at a place, which a mutating one
    /// changes.
    ///
    /// A symbol doesn't say whether the method is mutating. So the value goes both ways: its address in the
    /// register of `self`, for one that changes it or whose value is large, and its parts behind the last
    /// argument, for one that only looks. Either leaves the other's registers as they are.
    func call(
        onPlainValue type: Any.Type, at place: UnsafeMutableRawPointer, _ values: [Any]
    ) -> SwiftCall.Outcome? {
        guard case .success(let callability) = callability, record == nil,
            TypeMetadata(type).isTrivial, let own = try? PassedType(type),
            var call = prepared(values, callability)
        else { return nil }
        call.add(own, at: place)
        let outcome = call.run(
            address, selfWord: UInt(bitPattern: place), result: callability.result)
        call.end(wasCalled: true)
        return outcome
    }

    /// What a static method has for `self`: a class; a struct or an enum is not passed at all.
    static func selfWord(of type: Any.Type) -> UInt {
        let metadata = TypeMetadata(type)
        return metadata.kind == .classType ? UInt(bitPattern: metadata.pointer) : 0
    }

    /// Calls a static method that isn't async, here.
    func call(onType type: Any.Type, _ values: [Any]) -> SwiftCall.Outcome? {
        guard case .success(let callability) = callability, record == nil,
            signature?.isStatic == true, signature?.kind == .method,
            let call = prepared(values, callability)
        else { return nil }
        let outcome = call.run(
            address, selfWord: Self.selfWord(of: type), result: callability.result)
        call.end(wasCalled: true)
        return outcome
    }

    private func prepared(_ values: [Any], _ callability: MethodCallability) -> SwiftCall? {
        guard values.count == callability.parameters.count else { return nil }
        var call = SwiftCall()
        for (value, parameter) in zip(values, callability.parameters) {
            guard call.add(value, as: parameter) else {
                call.end(wasCalled: false)
                return nil
            }
        }
        return call
    }

    /// Room that a getter with a typed error may write that error to: its symbol doesn't say so, and the address
    /// is then its only argument.
    private struct Scratch {
        private let room: UnsafeMutableRawPointer?

        init(for signature: FunctionSignature?) {
            room =
                signature?.kind == .getter
                ? .allocate(byteCount: 4096, alignment: 16) : nil
        }

        func add(to call: inout SwiftCall) {
            guard let room else { return }
            call.addInteger(UInt64(UInt(bitPattern: room)))
        }

        func end() { room?.deallocate() }
    }
}
#endif
