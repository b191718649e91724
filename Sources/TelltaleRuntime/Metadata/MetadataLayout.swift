#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The layout of values in this process's Swift runtime, according to swift-6.3.1. The offsets are next to
/// the code that uses them, in this folder.
///
/// Its self-test reads values of its own with known contents, and never blocks.
package struct MetadataLayout: CalibratedLayout {
    package enum Part: String, CaseIterable, Sendable {
        /// Sizes, fields and cases. Without them nothing can be read.
        case types
        /// Strings, substrings and characters.
        case strings
        /// Arrays, sets and dictionaries.
        case collections
        /// `Any`, protocols and errors.
        case existentials
        case weakReferences = "weak references"
        case unownedReferences = "unowned references"
    }

    package static let subject = "Swift's values"
    package static var calibration: Calibration<Self> { RuntimeCaches.current.layouts.metadata }
    package static var current: Self { calibration.immediate }

    package var failures: [Part: LayoutFailure] = [:]

    package init() {}

    private final class Sample {}

    private struct Failure: Error {
        let number: Int
        let text: String
    }

    private enum Choice {
        case none
        case named(String, Int)
        case numbered(Int)
    }

    // A bare existential would be opened when it is passed to a generic function.
    private struct Held<Value> { let value: Value }
    private struct Weak { weak var object: Sample? }
    private struct Unowned { unowned var object: Sample }

    package mutating func selfTest() {
        let reason = "values of our own were not read back"
        expect(Self.typesAreKnown(), .types, reason)
        expect(Self.stringsAreKnown(), .strings, reason)
        expect(Self.collectionsAreKnown(), .collections, reason)
        expect(Self.existentialsAreKnown(), .existentials, reason)
        expect(Self.weakReferencesAreKnown(), .weakReferences, reason)
        expect(Self.unownedReferencesAreKnown(), .unownedReferences, reason)
    }

    private static func view<Value: ~Copyable, Result>(
        of value: borrowing Value, as type: Any.Type, _ body: (ValueView) -> Result
    ) -> Result? {
        withUnsafePointer(to: value) { pointer in
            ValueView(ofOwn: type, at: pointer).map(body)
        }
    }

    private static func typesAreKnown() -> Bool {
        func fits<Value>(_ type: Value.Type) -> Bool {
            let metadata = TypeMetadata(type)
            return metadata.size == MemoryLayout<Value>.size
                && metadata.stride == MemoryLayout<Value>.stride
                && metadata.alignmentMask == UInt(MemoryLayout<Value>.alignment - 1)
        }
        let fields = FieldCache.fields(of: Failure.self)
        guard fits(Int8.self), fits([Int].self), fits(Failure.self), fits(Int128.self),
            TypeMetadata(Int.self).isTrivial, !TypeMetadata(String.self).isTrivial,
            TypeMetadata(Int.self).isInline, !TypeMetadata((Int, Int, Int, Int).self).isInline,
            fields.map(\.name) == ["number", "text"], fields.map(\.offset) == [0, 8],
            !fields.contains(where: \.isVariable),
            MetadataCheck.type(at: UInt(bitPattern: TypeMetadata(Sample.self).pointer))
                == Sample.self
        else { return false }
        let some: Int? = 5
        let isSome = view(of: some, as: Int?.self) { $0.isSome } ?? nil
        let choice = Choice.named("x", 7)
        let payload = view(of: choice, as: Choice.self) { view in
            let layout = EnumLayout(of: Choice.self)
            let current = layout.currentCase(of: view)
            guard let current, current.name == "named",
                let payload = layout.payload(of: view, case: current)
            else { return false }
            return payload.type == (String, Int).self && payload.load(Int.self, at: 16) == 7
        }
        return isSome == true && payload == true
    }

    private static func stringsAreKnown() -> Bool {
        let made = String(repeating: "größer ", count: 9) + String(Int(getpagesizeLike))
        let samples = ["", "a", "größer", "a literal of more than fifteen bytes", made]
        let areRead = samples.allSatisfy { sample in
            view(of: sample, as: String.self) {
                StringStorage.read($0, limit: 1024)?.text == sample
            } ?? false
        }
        let part = made.dropFirst(3).dropLast(2)
        let partIsRead = view(of: part, as: Substring.self) {
            StringStorage.readSubstring($0, limit: 1024)?.text == String(part)
        }
        return areRead && partIsRead ?? false
    }

    // A value that the compiler can't fold.
    private static var getpagesizeLike: UInt64 { MonotonicTime.now.nanoseconds | 1 }

    private static func collectionsAreKnown() -> Bool {
        let array: [Int] = (0..<5).map { $0 * 7 }
        let isArray = view(of: array, as: [Int].self) { view in
            ArrayStorage(array: view, element: Int.self)?.element(at: 4)?.load(Int.self) == 28
        }
        let slice = array[1..<4]
        let isSlice = view(of: slice, as: ArraySlice<Int>.self) { view in
            ArrayStorage(slice: view, element: Int.self)?.element(at: 2)?.load(Int.self) == 21
        }
        let table: [Int: Int] = Dictionary(uniqueKeysWithValues: array.map { ($0, $0 + 1) })
        let isTable = view(of: table, as: [Int: Int].self) { view in
            var found: [Int: Int] = [:]
            HashStorage(view, key: Int.self, value: Int.self)?.forEach(until: { false }) {
                if let key = $1.load(Int.self), let value = $2()?.load(Int.self) {
                    found[key] = value
                }
                return true
            }
            return found == table
        }
        let set = Set(array)
        let isSet = view(of: set, as: Set<Int>.self) { view in
            var found: Set<Int> = []
            HashStorage(view, key: Int.self, value: nil)?.forEach(until: { false }) {
                _, key, _ in
                if let key = key.load(Int.self) { found.insert(key) }
                return true
            }
            return found == set
        }
        return [isArray, isSlice, isTable, isSet].allSatisfy { $0 == true }
    }

    private static func existentialsAreKnown() -> Bool {
        func number(in value: Any) -> Int? {
            view(of: Held(value: value), as: Any.self) {
                ExistentialLayout.opaque.content(of: $0)?.load(Int.self)
            } ?? nil
        }
        let error: any Error = Failure(number: 77, text: "seventy-seven")
        let isError = view(of: Held(value: error), as: (any Error).self) { view in
            let content = ExistentialLayout(of: view.type)?.content(of: view)
            return content?.type == Failure.self && content?.load(Int.self) == 77
        }
        return number(in: 12) == 12 && number(in: (34, 1, 2, 3, 4, 5)) == 34 && isError == true
    }

    /// Returns true if a weak or unowned reference leads to its object.
    private static func leads<Reference>(
        _ reference: Reference, to object: Sample,
        by follow: (UInt, MemorySource) -> ReferenceStorage.Target?
    ) -> Bool {
        let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        return view(of: reference, as: UInt.self) { view in
            guard let word = view.word(), case .object(address)? = follow(word, .process)
            else { return false }
            return true
        } ?? false
    }

    private static func weakReferencesAreKnown() -> Bool {
        let object = Sample()
        let isKnown = leads(Weak(object: object), to: object, by: ReferenceStorage.weakTarget)
        return withExtendedLifetime(object) { isKnown }
    }

    private static func unownedReferencesAreKnown() -> Bool {
        let object = Sample()
        let unowned = Unowned(object: object)
        let isInline = leads(unowned, to: object, by: ReferenceStorage.unownedTarget)
        // The weak reference moves the counts to a side table.
        let weak = Weak(object: object)
        let isMoved = leads(unowned, to: object, by: ReferenceStorage.unownedTarget)
        return withExtendedLifetime((object, weak)) { isInline && isMoved }
    }
}
#endif
