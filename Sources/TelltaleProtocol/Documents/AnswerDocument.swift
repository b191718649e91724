#if TELLTALE_COMPILED
/// The output of `--json`: an answer for programs, whose values are JSON's own.
///
/// The wire carries a value as the tree that a reader made of it; a document carries the value
/// itself.
package enum AnswerDocument {
    /// The version of the documents' shape. A new member does not make a new version; a member that
    /// older readers would misread does.
    package static let version: Int64 = 1

    /// A document of some kind.
    package static func make(kind: String, _ members: [JSONMember]) -> JSONValue {
        .object(
            [JSONMember("version", .integer(version)), JSONMember("kind", .string(kind))] + members)
    }
}

/// A part of an answer that contains values of the service, which a document has as JSON values.
protocol Documented {
    /// The members of its document.
    ///
    /// - Throws: `EncodingError` for a number that JSON can't say.
    func documentMembers() throws -> [JSONMember]
}

extension CommandAnswer {
    /// The answer as `--json` prints it.
    ///
    /// - Throws: `EncodingError` for a number that JSON can't say.
    package func document() throws -> JSONValue {
        if let documented = self as? any Documented {
            return AnswerDocument.make(kind: Self.kind, try documented.documentMembers())
        }
        guard case .object(let members) = try json() else { return .null }
        return AnswerDocument.make(kind: Self.kind, members)
    }
}

extension ValueAnswer: Documented {
    func documentMembers() throws -> [JSONMember] {
        var document = ValueDocument()
        var members = [
            JSONMember("path", .string(path)), JSONMember("type", .string(value.type)),
            JSONMember("value", document.value(of: value)),
        ]
        if let text = memory { members.append(JSONMember("memory", try text.json())) }
        if let bytes { members.append(JSONMember("bytes", try bytes.json())) }
        if let table { members.append(JSONMember("table", try table.json())) }
        if let matches { members.append(JSONMember("matches", document.value(of: matches))) }
        members.append(JSONMember("owner", .string(owner)))
        members.append(JSONMember("read", .string(read)))
        return members + document.remarks
    }
}

extension PlainAnswer: Documented {
    func documentMembers() throws -> [JSONMember] { try shown.documentMembers() }
}

extension CallAnswer: Documented {
    func documentMembers() throws -> [JSONMember] {
        var document = ValueDocument()
        var members = [JSONMember("action", .string(action))]
        if let value {
            members.append(JSONMember("type", .string(value.type)))
            members.append(JSONMember("value", document.value(of: value)))
        }
        members.append(JSONMember("microseconds", .number(microseconds)))
        members.append(JSONMember("change", .number(change)))
        if let changed { members.append(JSONMember("changed", try changed.document())) }
        return members + document.remarks
    }
}

extension EvalAnswer: Documented {
    func documentMembers() throws -> [JSONMember] {
        var document = ValueDocument()
        guard case .object(var members) = try json() else { return [] }
        members.removeAll { $0.key == "value" }
        if let value {
            members.append(JSONMember("type", .string(value.type)))
            members.append(JSONMember("value", document.value(of: value)))
        }
        return members + document.remarks
    }
}

extension JobsAnswer: Documented {
    func documentMembers() throws -> [JSONMember] {
        [
            JSONMember("jobs", .array(try jobs.map { try $0.document() })),
            JSONMember("dropped", .number(dropped)),
        ]
    }
}

extension JobsAnswer.Entry {
    /// The job with its result as JSON has it.
    func document() throws -> JSONValue {
        guard case .object(var members) = try JSONValueEncoder.encode(self) else { return .null }
        guard let value, let index = members.firstIndex(where: { $0.key == "value" }) else {
            return .object(members)
        }
        var document = ValueDocument()
        members[index].value = document.value(of: value)
        return .object(members + document.remarks)
    }
}

extension ChangeRecord {
    /// The record with its values as JSON has them. The arguments of a call are text as they were typed.
    func document() throws -> JSONValue {
        guard case .object(var members) = try JSONValueEncoder.encode(self) else { return .null }
        for index in members.indices where ["old", "new"].contains(members[index].key) {
            guard case .string(let text) = members[index].value, old != nil else { continue }
            members[index].value = ValueDocument.value(typed: text)
        }
        return .object(members)
    }
}

extension ChangeAnswer: Documented {
    func documentMembers() throws -> [JSONMember] {
        let members = [JSONMember("change", try change.document())]
        guard let more else { return members }
        return members + [JSONMember("more", .array(try more.map { try $0.document() }))]
    }
}

extension ChangesAnswer: Documented {
    func documentMembers() throws -> [JSONMember] {
        var members = [
            JSONMember("changes", .array(try changes.map { try $0.document() })),
            JSONMember("dropped", .number(dropped)),
        ]
        if let older { members.append(JSONMember("older", .number(older))) }
        return members
    }
}

extension WatchedValue {
    /// The value as JSON has it, and why there is none.
    func document() -> JSONValue {
        var members = [JSONMember("path", .string(path))]
        if let text { members.append(JSONMember("value", ValueDocument.value(typed: text))) }
        if let failure { members.append(JSONMember("failure", .string(failure))) }
        return .object(members)
    }
}

extension ControlAnswer: Documented {
    func documentMembers() throws -> [JSONMember] {
        guard case .object(var members) = try json() else { return [] }
        guard let values else { return members }
        members.removeAll { $0.key == "values" }
        return members + [JSONMember("values", .array(values.map { $0.document() }))]
    }
}

extension WatchedAnswer: Documented {
    func documentMembers() throws -> [JSONMember] {
        [
            JSONMember("looks", .number(looks)),
            JSONMember("values", .array(values.map { $0.document() })),
            JSONMember("changes", .array(changes.map { $0.document() })),
            JSONMember("left", .number(left)),
        ]
    }
}

extension WatchedAnswer.Change {
    /// The change with its values as JSON has them.
    func document() -> JSONValue {
        var members = [JSONMember("time", .string(time)), JSONMember("path", .string(path))]
        if let from { members.append(JSONMember("from", ValueDocument.value(typed: from))) }
        members.append(JSONMember("to", ValueDocument.value(typed: to)))
        return .object(members)
    }
}
#endif
