package import TelltaleProtocol

/// Schemas of types, found by having each one read a value and recording the members it asks for.
package final class TypeSchemas {
    /// The types with a name, in the order in which they were met.
    package private(set) var definitions: [JSONMember] = []
    private var bodies: [String: JSONValue] = [:]
    private var made: [ObjectIdentifier: Any] = [:]
    private var begun: Set<String> = []
    private let comments = SourceComments()

    package init() {}

    /// The cases of enumerations, which no decoder can ask for.
    private static let cases: [ObjectIdentifier: [String]] = [
        ObjectIdentifier(StuckAnswer.Evidence.self): [
            "cycle", "poolExhausted", "queueSuspended", "notSignalled", "slow", "notResumed",
            "operationNotFinished", "eventLoopBlocked", "outOfDescriptors", "listenerDeaf",
        ],
        ObjectIdentifier(StuckAnswer.Hope.self): [
            "itself", "resume", "activate", "client", "timeout", "sleepingTask", "runningTask",
            "timer", "source", "item", "task", "global", "object", "unsearched", "connection",
            "networkAnswer", "unknownDescriptor", "thread", "resuming", "event", "ring",
            "processTimer", "asyncRequest", "unreadableMemory", "epolls",
        ],
        ObjectIdentifier(StuckAnswer.State.self): [
            "waits", "event", "call", "runs", "idle", "time", "ended", "operations", "children",
            "continuation", "suspended", "items", "jobs", "dependencies", "operation", "eventLoop",
        ],
        ObjectIdentifier(StuckAnswer.Detail.self): [
            "barrier", "held", "heldByReaders", "made", "entered", "turn",
        ],
        ObjectIdentifier(StuckAnswer.Hold.self): ["inactive", "suspended", "barrier"],
        ObjectIdentifier(StuckAnswer.Lack.self): ["queue", "resumedQueue"],
        ObjectIdentifier(StuckAnswer.Grade.self): ["deadlock", "stuck", "waits"],
        ObjectIdentifier(StuckAnswer.Remark.Reason.self): [
            "nothingWaits", "busy", "holdsNobodyUp", "busyLoop", "blockedLoop",
        ],
        ObjectIdentifier(DoctorAnswer.Evidence.self): [
            "stuck", "childWrites", "readsAgain", "waits", "tasksWait", "promisesPending", "busy",
            "unreaped", "descriptors",
            "late",
            "grows", "deaf", "exiting",
        ],
        ObjectIdentifier(DoctorAnswer.BusyReason.self): ["noDescriptor", "readyNeverTaken"],
        ObjectIdentifier(DoctorAnswer.Grade.self): ["fault", "suspicion", "notice"],
        ObjectIdentifier(DoctorAnswer.Wait.Kind.self): [
            "reads", "writes", "connects", "locksFile", "child", "sleeps",
        ],
    ]

    private static func name(of type: Any.Type) -> String {
        String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
    }

    /// Returns the documentation comment of a type.
    package func text(of type: Any.Type) -> String? { comments.text(of: Self.name(of: type)) }

    /// A type as a part of another.
    func schema(of type: any Decodable.Type) throws -> JSONValue {
        if let simple = Self.simple(type) { return simple }
        if let list = type as? any SchemaList.Type {
            return SchemaText.array(of: try schema(of: list.element))
        }
        if let optional = type as? any SchemaOptional.Type {
            return .object([
                JSONMember(
                    "anyOf", .array([try schema(of: optional.wrapped), SchemaText.type("null")]))
            ])
        }
        // A case that is not known is left out.
        if let wrapped = type as? any SchemaWrapped.Type { return try schema(of: wrapped.wrapped) }
        if type == ValueNode.self { return SchemaText.reference("Value") }
        let name = Self.name(of: type)
        if begun.insert(name).inserted {
            let index = definitions.count
            definitions.append(JSONMember(name, .null))
            definitions[index].value = SchemaText.described(
                try body(of: type), comments.text(of: name))
        }
        return SchemaText.reference(name)
    }

    /// A type by its members.
    package func body(of type: any Decodable.Type) throws -> JSONValue {
        let name = Self.name(of: type)
        if let known = bodies[name] { return known }
        let body = DocumentChanges.apply(to: try make(type, name), of: name)
        bodies[name] = body
        return body
    }

    private func make(_ type: any Decodable.Type, _ name: String) throws -> JSONValue {
        if let coded = type as? any MemberCoded.Type { return try members(of: coded, name) }
        if let cases = Self.cases[ObjectIdentifier(type)] { return try open(type, cases, name) }
        return try open(type, name)
    }

    private func open<T: Decodable>(_ type: T.Type, _ name: String) throws -> JSONValue {
        let record = RecordedType()
        made[ObjectIdentifier(type)] = try T(from: TypeRecorder(self, record))
        return record.schema { self.comments.text(of: name, $0) }
    }

    private func open<T: Decodable>(
        _ type: T.Type, _ cases: [String], _ name: String
    ) throws -> JSONValue {
        let all = try cases.compactMap { one in
            let record = RecordedType()
            made[ObjectIdentifier(type)] = try T(from: TypeRecorder(self, record, only: one))
            return record.single == nil ? record.schema { _ in nil } : nil
        }
        guard all.isEmpty else { return .object([JSONMember("anyOf", .array(all))]) }
        return .object([
            JSONMember("type", .string("string")),
            JSONMember("examples", .array(cases.map { .string($0) })),
        ])
    }

    private func members<T: MemberCoded>(of type: T.Type, _ name: String) throws -> JSONValue {
        var value = T()
        var found: [MemberDescription] = []
        var coder = MemberCoder(describing: { found.append($0) })
        value.code(&coder)
        let record = RecordedType()
        for member in found {
            let schema = try schema(of: member.type)
            record.add(
                member.key, member.isArray ? SchemaText.array(of: schema) : schema,
                isNeeded: member.isNeeded)
        }
        made[ObjectIdentifier(type)] = T()
        // Its members are another's.
        let source = name == "PlainAnswer" ? "ValueAnswer" : name
        return record.schema { key in self.comments.text(of: source, key) }
    }

    /// A value of a type, to be decoded into another; its contents do not matter.
    func value<T: Decodable>(_ type: T.Type) throws -> T {
        if let simple = Self.empty(type) { return simple }
        if let list = type as? any SchemaList.Type, let empty = list.noValue as? T { return empty }
        if let optional = type as? any SchemaOptional.Type, let none = optional.noValue as? T {
            return none
        }
        if made[ObjectIdentifier(type)] == nil { _ = try body(of: type) }
        if let value = made[ObjectIdentifier(type)] as? T { return value }
        return try T(from: TypeRecorder(self, RecordedType()))
    }

    private static func simple(_ type: any Decodable.Type) -> JSONValue? {
        switch type {
        case is String.Type: SchemaText.string
        case is Bool.Type: SchemaText.boolean
        case is Double.Type, is Float.Type: SchemaText.number
        case is any FixedWidthInteger.Type: SchemaText.integer
        default: nil
        }
    }

    private static func empty<T>(_ type: T.Type) -> T? {
        if let number = type as? any FixedWidthInteger.Type { return number.init() as? T }
        return "" as? T ?? false as? T ?? 0.0 as? T
    }
}

protocol SchemaList {
    static var element: any Decodable.Type { get }
    static var noValue: Any { get }
}

extension Array: SchemaList where Element: Decodable {
    static var element: any Decodable.Type { Element.self }
    static var noValue: Any { [Element]() }
}

protocol SchemaOptional {
    static var wrapped: any Decodable.Type { get }
    static var noValue: Any { get }
}

extension Optional: SchemaOptional where Wrapped: Decodable {
    static var wrapped: any Decodable.Type { Wrapped.self }
    static var noValue: Any { Optional<Wrapped>.none as Any }
}

protocol SchemaWrapped { static var wrapped: any Decodable.Type { get } }

extension IfKnown: SchemaWrapped { static var wrapped: any Decodable.Type { Value.self } }
