#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

// Access to the standard library's generic types, given only a metatype: the conformance recovers the type
// arguments, and all reads and writes are the compiler's own typed ones.

/// A use of the memory of a value's part while its address is valid.
typealias PlaceUse = (UnsafeMutableRawPointer) throws(CommandFailure) -> Void

/// Type-erased access to `Optional`.
protocol OptionalAccess {
    static var wrapped: Any.Type { get }
    static func isNone(at place: UnsafeMutableRawPointer) -> Bool
    /// Wraps a value in this type; `nil` if it is not of the wrapped type.
    static func wrap(_ value: Any?) -> Any?
    /// The value in an optional of this type; `nil` for `.none`.
    static func unwrap(_ value: Any) -> Any?
}

extension Optional: OptionalAccess {
    static var wrapped: Any.Type { Wrapped.self }

    static func isNone(at place: UnsafeMutableRawPointer) -> Bool {
        // The value witness doesn't retain what the optional refers to, which the host may have damaged.
        if let tag = TypeMetadata(Self.self).enumTag(of: place) { return tag != 0 }
        if case .none = place.assumingMemoryBound(to: Self.self).pointee { return true }
        return false
    }

    static func wrap(_ value: Any?) -> Any? {
        guard let value else { return .some(Self.none as Any) }
        guard let fitting = value as? Wrapped else { return nil }
        return .some(Self.some(fitting) as Any)
    }

    static func unwrap(_ value: Any) -> Any? {
        guard let optional = value as? Self, case .some(let wrapped) = optional else { return nil }
        return .some(wrapped as Any)
    }
}

/// Type-erased access to `Array`, `ContiguousArray` and `ArraySlice`, with indices counted from 0.
protocol ArrayAccess {
    static var element: Any.Type { get }
    static func count(at place: UnsafeMutableRawPointer) -> Int
    static func count(of value: Any) -> Int?
    /// A copy with a range of elements replaced; `nil` if a value is not of the element type, or the range is
    /// out of bounds.
    static func replacing(_ range: Range<Int>, of value: Any, with values: [Any]) -> Any?
    /// A copy with two elements swapped; `nil` if an index is out of bounds.
    static func swapping(_ first: Int, _ second: Int, of value: Any) -> Any?
    /// Makes an array; `nil` if one of the values is not of the element type.
    static func make(_ values: [Any]) -> Any?
    /// Passes the address of an element: for writing the one in the array itself, which becomes uniquely
    /// referenced as with any change, otherwise the address of a copy. An index out of bounds is ignored.
    static func withElement(
        at place: UnsafeMutableRawPointer, _ index: Int, isWriting: Bool, _ use: PlaceUse
    ) throws(CommandFailure)
}

extension ArrayAccess where Self: MutableCollection & RangeReplaceableCollection, Index == Int {
    static var element: Any.Type { Element.self }

    static func count(at place: UnsafeMutableRawPointer) -> Int {
        place.assumingMemoryBound(to: Self.self).pointee.count
    }

    static func count(of value: Any) -> Int? { (value as? Self)?.count }

    static func replacing(_ range: Range<Int>, of value: Any, with values: [Any]) -> Any? {
        guard var changed = value as? Self, range.lowerBound >= 0, range.upperBound <= changed.count
        else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for value in values {
            guard let element = value as? Element else { return nil }
            elements.append(element)
        }
        let start = changed.startIndex
        changed.replaceSubrange(
            start + range.lowerBound..<start + range.upperBound, with: elements)
        return changed
    }

    static func swapping(_ first: Int, _ second: Int, of value: Any) -> Any? {
        guard var changed = value as? Self, first >= 0, second >= 0, first < changed.count,
            second < changed.count
        else { return nil }
        changed.swapAt(changed.startIndex + first, changed.startIndex + second)
        return changed
    }

    static func make(_ values: [Any]) -> Any? {
        var made = Self()
        made.reserveCapacity(values.count)
        for value in values {
            guard let element = value as? Element else { return nil }
            made.append(element)
        }
        return made
    }

    static func withElement(
        at place: UnsafeMutableRawPointer, _ index: Int, isWriting: Bool, _ use: PlaceUse
    ) throws(CommandFailure) {
        let array = place.assumingMemoryBound(to: Self.self)
        guard index >= 0, index < array.pointee.count else { return }
        let index = array.pointee.startIndex + index
        if isWriting {
            try withUnsafeMutablePointer(to: &array.pointee[index]) {
                (element) throws(CommandFailure) in
                try use(UnsafeMutableRawPointer(element))
            }
        } else {
            var copy = array.pointee[index]
            try withUnsafeMutablePointer(to: &copy) { (element) throws(CommandFailure) in
                try use(UnsafeMutableRawPointer(element))
            }
        }
    }
}

extension Array: ArrayAccess {}
extension ContiguousArray: ArrayAccess {}
extension ArraySlice: ArrayAccess {}

/// Type-erased access to `Set`; its elements can't be changed in place.
protocol SetAccess {
    static var element: Any.Type { get }
    static func make(_ values: [Any]) -> Any?
    /// A copy with one more element; `nil` if the set already contains it.
    static func inserting(_ element: Any, into value: Any) -> Any?
    /// A copy without an element; `nil` if the set doesn't contain it.
    static func removing(_ element: Any, from value: Any) -> Any?
}

extension Set: SetAccess {
    static var element: Any.Type { Element.self }

    static func make(_ values: [Any]) -> Any? {
        var made = Self()
        for value in values {
            guard let element = value as? Element else { return nil }
            made.insert(element)
        }
        return made
    }

    static func inserting(_ element: Any, into value: Any) -> Any? {
        guard var changed = value as? Self, let element = element as? Element,
            changed.insert(element).inserted
        else { return nil }
        return changed
    }

    static func removing(_ element: Any, from value: Any) -> Any? {
        guard var changed = value as? Self, let element = element as? Element,
            changed.remove(element) != nil
        else { return nil }
        return changed
    }
}

protocol DictionaryAccess {
    static var key: Any.Type { get }
    static var value: Any.Type { get }
    /// Makes a dictionary; `nil` if a part has the wrong type, or if two keys are equal.
    static func make(_ entries: [(Any, Any)]) -> Any?
    /// All entries of a small dictionary; none of a larger one.
    static func entries(at place: UnsafeMutableRawPointer) -> [(key: AnyHashable, value: Any)]
    static func entries(of dictionary: Any) -> [(key: AnyHashable, value: Any)]
    static func value(at place: UnsafeMutableRawPointer, of key: Any) -> Any?
    /// A copy with another value for a key, or (with `nil`) without the key; `nil` if a part has the wrong
    /// type, or the key to be removed is missing.
    static func updating(_ key: Any, of dictionary: Any, to value: Any?) -> Any?
    /// Sets, inserts or (with `nil`) removes a value; false if a part has the wrong type.
    static func update(at place: UnsafeMutableRawPointer, _ key: Any, to value: Any?) -> Bool
    /// Passes the address of a key's value, as ``ArrayAccess/withElement(at:_:isWriting:_:)`` does; false if
    /// the key is missing.
    static func withValue(
        at place: UnsafeMutableRawPointer, of key: Any, isWriting: Bool, _ use: PlaceUse
    ) throws(CommandFailure) -> Bool
}

extension Dictionary: DictionaryAccess {
    static var key: Any.Type { Key.self }
    static var value: Any.Type { Value.self }

    static func updating(_ key: Any, of dictionary: Any, to value: Any?) -> Any? {
        guard var changed = dictionary as? Self, let key = key as? Key else { return nil }
        guard let value else {
            guard let index = changed.index(forKey: key) else { return nil }
            changed.remove(at: index)
            return changed
        }
        guard let value = value as? Value else { return nil }
        changed[key] = .some(value)
        return changed
    }

    static func make(_ entries: [(Any, Any)]) -> Any? {
        var made = Self()
        for (key, value) in entries {
            guard let key = key as? Key, let value = value as? Value,
                made.index(forKey: key) == nil
            else { return nil }
            made[key] = .some(value)
        }
        return made
    }

    static func entries(at place: UnsafeMutableRawPointer) -> [(key: AnyHashable, value: Any)] {
        entries(of: place.assumingMemoryBound(to: Self.self).pointee)
    }

    static func entries(of dictionary: Any) -> [(key: AnyHashable, value: Any)] {
        guard let dictionary = dictionary as? Self, dictionary.count <= NameValuePair.mostEntries
        else {
            return []
        }
        return dictionary.map { (AnyHashable($0.key), $0.value) }
    }

    static func value(at place: UnsafeMutableRawPointer, of key: Any) -> Any? {
        let dictionary = place.assumingMemoryBound(to: Self.self)
        guard let key = key as? Key, let index = dictionary.pointee.index(forKey: key) else {
            return nil
        }
        return .some(dictionary.pointee[index].value as Any)
    }

    static func update(at place: UnsafeMutableRawPointer, _ key: Any, to value: Any?) -> Bool {
        let dictionary = place.assumingMemoryBound(to: Self.self)
        guard let key = key as? Key else { return false }
        guard let value else {
            dictionary.pointee.removeValue(forKey: key)
            return true
        }
        guard let fitting = value as? Value else { return false }
        dictionary.pointee.updateValue(fitting, forKey: key)
        return true
    }

    static func withValue(
        at place: UnsafeMutableRawPointer, of key: Any, isWriting: Bool, _ use: PlaceUse
    ) throws(CommandFailure) -> Bool {
        let dictionary = place.assumingMemoryBound(to: Self.self)
        guard let key = key as? Key, let index = dictionary.pointee.index(forKey: key) else {
            return false
        }
        if isWriting {
            try withUnsafeMutablePointer(to: &dictionary.pointee.values[index]) {
                (value) throws(CommandFailure) in try use(UnsafeMutableRawPointer(value))
            }
        } else {
            var copy = dictionary.pointee[index].value
            try withUnsafeMutablePointer(to: &copy) { (value) throws(CommandFailure) in
                try use(UnsafeMutableRawPointer(value))
            }
        }
        return true
    }
}
#endif
