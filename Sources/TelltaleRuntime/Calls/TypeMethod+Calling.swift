#if TELLTALE_AGENT
extension TypeMethod {
    /// Calls a non-async method on an object, on the calling thread.
    ///
    /// - Important: Runs host code; must be called on the object's owner.
    /// - Returns: Nil, without a call, if a value is not of its parameter's type or the method can't be
    ///   called.
    package func call(on object: AnyObject, _ values: [Any]) -> SwiftCall.Outcome? {
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

    /// Calls a method of a trivial (POD) struct on the value at `place`, which a mutating method changes.
    ///
    /// A symbol does not say if the method is mutating. So the value is passed in both ways. Its address is
    /// in the register of `self`, for a mutating method or a large value. Its parts follow the last
    /// argument, for a method that only reads. Each kind of method ignores the other kind's registers.
    package func call(
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

    /// Returns the word that a static method receives as `self`: a class's metadata. A struct's or an
    /// enum's type is not passed at all.
    package static func selfWord(of type: Any.Type) -> UInt {
        let metadata = TypeMetadata(type)
        return metadata.kind == .classType ? UInt(bitPattern: metadata.pointer) : 0
    }

    /// Calls a non-async static method, on the calling thread.
    package func call(onType type: Any.Type, _ values: [Any]) -> SwiftCall.Outcome? {
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

    /// Memory to which a getter with a typed error may write that error. The getter's symbol does not
    /// mention the error, and the address is then the getter's only argument.
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
