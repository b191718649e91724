#if TELLTALE_AGENT
/// Typed reads and writes for types that are known only at run time.
///
/// The metatype is opened into a generic parameter, so that the compiler's own code copies, retains and
/// releases. (The opened functions are named ones: a closure that captures a generic result crashed the
/// compiler.)
package enum TypedMemory {
    /// Returns a copy of the value at an address.
    package static func load(_ type: Any.Type, at place: UnsafeMutableRawPointer) -> Any {
        func load<Value>(_: Value.Type) -> Any {
            place.assumingMemoryBound(to: Value.self).pointee
        }
        return _openExistential(type, do: load)
    }

    /// Moves the value out of an address, whose memory is uninitialised afterwards.
    package static func take(_ type: Any.Type, at place: UnsafeMutableRawPointer) -> Any {
        func take<Value>(_: Value.Type) -> Any {
            place.assumingMemoryBound(to: Value.self).move()
        }
        return _openExistential(type, do: take)
    }

    /// Assigns a value. Returns false, without a change, if it is not of the type.
    package static func assign(_ value: Any, to type: Any.Type, at place: UnsafeMutableRawPointer)
        -> Bool
    {
        func assign<Value>(_: Value.Type) -> Bool {
            guard let fitting = value as? Value else { return false }
            place.assumingMemoryBound(to: Value.self).pointee = fitting
            return true
        }
        return _openExistential(type, do: assign)
    }

    /// Initialises memory with a value; false if the value is not of the type.
    package static func initialize(
        _ place: UnsafeMutableRawPointer, to value: Any, as type: Any.Type
    )
        -> Bool
    {
        func initialize<Value>(_: Value.Type) -> Bool {
            guard let fitting = value as? Value else { return false }
            place.initializeMemory(as: Value.self, to: fitting)
            return true
        }
        return _openExistential(type, do: initialize)
    }

    /// Returns true if a value can be assigned to memory of the type.
    package static func isValue(_ value: Any, of type: Any.Type) -> Bool {
        func isValue<Value>(_: Value.Type) -> Bool { value is Value }
        return _openExistential(type, do: isValue)
    }

    /// Deinitialises the value at an address.
    package static func destroy(_ type: Any.Type, at place: UnsafeMutableRawPointer) {
        func destroy<Value>(_: Value.Type) {
            place.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
        }
        _openExistential(type, do: destroy)
    }

    /// Returns true if two values are of one type and have the same bytes. Then the values are the same,
    /// because both are alive; different bytes prove nothing.
    package static func sameBytes(_ left: Any, _ right: Any) -> Bool {
        guard Swift.type(of: left) == Swift.type(of: right) else { return false }
        func compare<Value>(_ left: Value) -> Bool {
            guard let right = right as? Value else { return false }
            return withUnsafeBytes(of: left) { left in
                withUnsafeBytes(of: right) { right in left.elementsEqual(right) }
            }
        }
        return _openExistential(left, do: compare)
    }

    /// Runs a body on fresh memory for one value of a type.
    package static func withMemory<Result>(
        for type: Any.Type, _ body: (UnsafeMutableRawPointer) -> Result
    ) -> Result {
        func layout<Value>(_: Value.Type) -> (Int, Int) {
            (MemoryLayout<Value>.stride, MemoryLayout<Value>.alignment)
        }
        let (size, alignment) = _openExistential(type, do: layout)
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: max(size, 1), alignment: alignment)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: max(size, 1))
        return body(memory)
    }
}
#endif
