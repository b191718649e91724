#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// The display names of counted objects.
package struct HeapNames {
    package struct Name: Sendable {
        /// `Photo`, `[Photo]`; `Photo, Int` for the captures of a closure.
        package var text: String
        /// `class`, `array`, `captures`: the word used in answers.
        package var kind: String
        /// True for an object of the agent.
        package var isAgents = false
        package var type: Any.Type?
    }

    private let dispatch: [FirstWord: DispatchLayout.Kind]
    private let taskWord: UInt?

    package init(_ census: HeapCensus) {
        dispatch = census.kinds
        taskWord = census.taskWord
    }

    /// The name of objects with a first word; nil if the word turns out not to be Swift metadata.
    package func name(of row: HeapCensus.Row) -> Name? {
        switch row.kind {
        case CTelltaleHeapClass: Self.instance(row.word)
        case CTelltaleHeapCaptures: Name(text: Self.captures(row.word), kind: "captures")
        case CTelltaleHeapBox: Self.box(row.word)
        case CTelltaleHeapError: Name(text: "any Error", kind: "box")
        case CTelltaleHeapTold: told(row.word)
        default: nil
        }
    }

    private func told(_ word: UInt) -> Name? {
        if word == taskWord { return Name(text: "Task", kind: "task") }
        let text =
            switch dispatch[FirstWord(word)] {
            case .serial: "serial queue"
            case .concurrent: "concurrent queue"
            case .main: "main queue"
            case .global: "global queue"
            case .group: "group"
            case .semaphore: "semaphore"
            case .source: "source"
            case nil: ""
            }
        return text.isEmpty ? nil : Name(text: text, kind: "dispatch")
    }

    // MARK: Classes

    /// The standard library's storage classes, by the prefix of their names.
    private static let storages = [
        ("_ContiguousArrayStorage<", "array"), ("_SetStorage<", "set"),
        ("_DictionaryStorage<", "dictionary"),
    ]

    private static func instance(_ word: UInt) -> Name? {
        guard let type = MetadataCheck.type(at: word) else { return nil }
        let qualified = _typeName(type, qualified: true)
        if qualified == "Swift.__StringStorage" {
            return Name(text: "String", kind: "string", type: type)
        }
        let isAgents = CodeOrigin.agentModules.contains { qualified.hasPrefix("\($0).") }
        let text = TypeNames.name(of: type)
        for (prefix, kind) in storages where text.hasPrefix(prefix) {
            let inside = text.dropFirst(prefix.count).dropLast()
            let short =
                switch kind {
                case "array": "[\(inside)]"
                case "set": "Set<\(inside)>"
                default: TypeNames.sugared("Dictionary<\(inside)>")
                }
            // Named by its elements: `Swift._ContiguousArrayStorage<TelltalePicture.RawFrame>`.
            let holdsAgents = CodeOrigin.agentModules.contains { qualified.contains("\($0).") }
            return Name(text: short, kind: kind, isAgents: holdsAgents, type: type)
        }
        return Name(text: text, kind: "class", isAgents: isAgents, type: type)
    }

    // MARK: Boxes

    /// `GenericBoxHeapMetadata` of swift-6.3.1: the type of the box's content follows its offset.
    private static func box(_ word: UInt) -> Name? {
        guard let boxed = GuardedMemory.load(UInt.self, at: word &+ 16),
            let type = MetadataCheck.type(at: boxed)
        else { return nil }
        return Name(text: TypeNames.name(of: type), kind: "box")
    }

    /// The types of a closure's captures.
    private static func captures(_ word: UInt) -> String {
        guard let captures = ClosureCaptures(metadata: word) else { return "captured values" }
        return captures.types.map { $0.map { TypeNames.name(of: $0) } ?? "?" }
            .joined(separator: ", ")
    }
}
#endif
