#if TELLTALE_COMPILED
/// Makes JSON values of values of the service.
///
/// Values that JSON can't express are objects with members whose names begin with `$`, as no
/// property's name in Swift does: `$type`, `$handle` and `$address` for an object, `$case` for an
/// enumeration, `$text` for a value shown only as text, `$entries` for a dictionary whose keys are
/// not strings, `$ref`, `$masked`, `$unavailable`. The elements left out of a collection are
/// reported beside the value, so that `length` counts elements and nothing else.
struct ValueDocument {
    /// The paths at which something was left out, and remarks on values that have no members for
    /// them.
    private var cuts: [JSONValue] = []
    private var notes: [JSONValue] = []
    private var place: [JSONValue] = []

    /// The members beside the value; each `at` is a path as `getpath` of jq takes it.
    var remarks: [JSONMember] {
        var members: [JSONMember] = []
        if !cuts.isEmpty { members.append(JSONMember("cuts", .array(cuts))) }
        if !notes.isEmpty { members.append(JSONMember("notes", .array(notes))) }
        return members
    }

    /// A value. The parser of the wire bounds how deep it is.
    mutating func value(of node: ValueNode) -> JSONValue {
        if let cut = node.cut {
            var members = [
                JSONMember("at", .array(place)), JSONMember("reason", .string(cut.reason)),
            ]
            if let omitted = cut.omitted { members.append(JSONMember("omitted", .number(omitted))) }
            cuts.append(.object(members))
        }
        if let note = node.note, node.kind != .unavailable {
            notes.append(
                .object([JSONMember("at", .array(place)), JSONMember("note", .string(note))]))
        }
        switch node.kind {
        case .none: return .null
        case .masked: return .object([JSONMember("$masked", .bool(true))])
        case .unavailable:
            return .object([
                JSONMember("$type", .string(node.type)),
                JSONMember("$unavailable", .string(node.note ?? "")),
            ])
        case .reference:
            return .object([JSONMember("$ref", node.handle.map { .number($0) } ?? .null)])
        case .scalar: return Self.scalar(node.text ?? "", type: node.type)
        case .string: return .string(Self.unquoted(node.text ?? ""))
        case .array, .set: return .array(elements(of: node))
        case .dictionary: return dictionary(node)
        case .tuple where node.children.allSatisfy { Self.position(of: $0) != nil }:
            return .array(elements(of: node))
        default: return parts(of: node)
        }
    }

    /// The matches found in a value, with the path of each.
    mutating func value(of matches: ValueMatches) -> JSONValue {
        let found = matches.found.map { node in
            place = [.string("matches"), .string(node.label ?? "")]
            return JSONValue.object([
                JSONMember("path", .string(node.label ?? "")),
                JSONMember("type", .string(node.type)), JSONMember("value", value(of: node)),
            ])
        }
        place = []
        return .object([
            JSONMember("word", .string(matches.word)), JSONMember("found", .array(found)),
            JSONMember("total", .number(matches.total)),
            JSONMember("looked", .number(matches.looked)),
            JSONMember("notes", .array(matches.notes.map { .string($0) })),
        ])
    }

    private mutating func elements(of node: ValueNode) -> [JSONValue] {
        node.children.enumerated().map { part($0.element, at: .number($0.offset)) }
    }

    private mutating func part(_ node: ValueNode, at step: JSONValue) -> JSONValue {
        place.append(step)
        defer { place.removeLast() }
        return value(of: node)
    }

    /// An object, a structure, a case or a tuple with labels.
    private mutating func parts(of node: ValueNode) -> JSONValue {
        var members = [JSONMember("$type", .string(node.type))]
        if node.kind == .object {
            if let handle = node.handle { members.append(JSONMember("$handle", .number(handle))) }
            if let address = node.address {
                members.append(JSONMember("$address", .string(address)))
            }
        }
        if let text = node.text, text != node.type {
            let name = text.hasPrefix(".") ? String(text.dropFirst()) : text
            members.append(
                node.kind == .enumeration
                    ? JSONMember("$case", .string(name)) : JSONMember("$text", .string(text)))
        }
        var names: Set<String> = []
        for (index, child) in node.children.enumerated() {
            var name = child.label ?? ""
            if let position = Self.position(of: child) { name = "_\(position)" }
            if name.isEmpty { name = "_\(index)" }
            // A class may have a property of its superclass's name.
            while !names.insert(name).inserted { name += "'" }
            members.append(JSONMember(name, part(child, at: .string(name))))
        }
        return .object(members)
    }

    /// An object where the keys are strings, and none could be taken for one of the tags.
    private mutating func dictionary(_ node: ValueNode) -> JSONValue {
        let keys = node.children.map { child in
            (child.label ?? "").dropFirst().dropLast()
        }
        let isObject = keys.allSatisfy { $0.hasPrefix("\"") && !$0.hasPrefix("\"$") }
        if isObject {
            return .object(
                zip(keys, node.children).map { key, child in
                    let name = Self.unquoted(String(key))
                    return JSONMember(name, part(child, at: .string(name)))
                })
        }
        place.append(.string("$entries"))
        defer { place.removeLast() }
        let entries = zip(keys, node.children).enumerated().map { index, entry in
            place.append(.number(index))
            defer { place.removeLast() }
            return JSONValue.array([
                Self.value(typed: String(entry.0)), part(entry.1, at: .integer(1)),
            ])
        }
        return .object([
            JSONMember("$type", .string(node.type)), JSONMember("$entries", .array(entries)),
        ])
    }

    /// The position of `.0` or `_0`, which is not a name.
    private static func position(of node: ValueNode) -> Int? {
        guard let label = node.label, let first = label.first, first == "." || first == "_" else {
            return nil
        }
        return Int(label.dropFirst())
    }
}

// Texts as values.
extension ValueDocument {
    /// A value as it would be typed, such as in a record of a change; a value without a JSON form
    /// is its text.
    static func value(typed text: String) -> JSONValue {
        if text == "<masked>" { return .object([JSONMember("$masked", .bool(true))]) }
        guard let literal = try? Literal(parsing: text), let value = value(of: literal) else {
            return .object([JSONMember("$text", .string(text))])
        }
        return value
    }

    private static func value(of literal: Literal) -> JSONValue? {
        switch literal {
        case .null: return .null
        case .bool(let bool): return .bool(bool)
        case .integer(let text), .float(let text): return number(text)
        case .string(let text): return .string(text)
        case .enumCase(let name, let payload) where payload.isEmpty:
            return .object([JSONMember("$case", .string(name))])
        case .array(let elements):
            let values = elements.compactMap(value(of:))
            return values.count == elements.count ? .array(values) : nil
        case .dictionary(let entries):
            let members = entries.compactMap { entry -> JSONMember? in
                guard case .string(let key) = entry.key, !key.hasPrefix("$") else { return nil }
                return value(of: entry.value).map { JSONMember(key, $0) }
            }
            return members.count == entries.count ? .object(members) : nil
        default: return nil
        }
    }

    /// A number, a truth or a text; another one's type and text.
    private static func scalar(_ text: String, type: String) -> JSONValue {
        switch text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: break
        }
        if text.hasPrefix("\""), text.count > 1 { return .string(unquoted(text)) }
        // As a Double it would be rounded.
        let isExact =
            !ExpressionValue.decimals.contains(type) || text.count(where: \.isNumber) <= 15
        return (isExact ? number(text) : nil)
            ?? .object([JSONMember("$type", .string(type)), JSONMember("$text", .string(text))])
    }

    /// A number that JSON can say, as exactly as it is shown; nil for others, and for infinity.
    private static func number(_ text: String) -> JSONValue? {
        guard let first = text.utf8.first(where: { $0 != UInt8(ascii: "-") }),
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first), !text.contains("x")
        else { return nil }
        if let integer = Int64(text) { return .integer(integer) }
        if let unsigned = UInt64(text) { return .unsigned(unsigned) }
        // A wider integer would be rounded.
        guard text.contains(where: { ".e".contains($0) }), let double = Double(text),
            double.isFinite
        else { return nil }
        return .double(double)
    }

    private static func unquoted(_ text: String) -> String {
        guard text.hasPrefix("\"") else { return text }
        return ExpressionValue.unquoted(text)
    }
}
#endif
