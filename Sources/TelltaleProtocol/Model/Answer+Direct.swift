#if TELLTALE_COMPILED
/// Answers read without `Codable`.
///
/// A client that runs one command begins anew each time, and the generic types of `Codable`'s
/// containers, which the runtime makes when they are first used, cost it a sixth of its own time
/// (measured). So what every such client reads, the handshake and values, is read by hand. Whatever is
/// not exactly as expected is left to `Codable`, which says what is wrong with it.
extension Answer {
    /// An answer to `hello`, `get` or `show`; nil for another one, and for what can't be read here.
    static func direct(from json: JSONValue) -> Answer? {
        guard case .string(let kind)? = json["kind"] else { return nil }
        switch kind {
        case "hello": return HelloAnswer(direct: json).map(Answer.hello)
        case "value": return ValueAnswer(direct: json).map(Answer.value)
        case "plain": return ValueAnswer(direct: json).map(Answer.plain)
        default: return nil
        }
    }
}

extension HelloAnswer {
    fileprivate init?(direct json: JSONValue) {
        self.init(
            protocolVersion: 0, agent: "", name: "", pid: 0, startTicks: 0, uptimeSeconds: 0,
            buildID: "", uid: 0, mode: "", residentBytes: 0)
        guard json["protocolVersion"]?.read(into: &protocolVersion) == true,
            json["agent"]?.read(into: &agent) == true, json["name"]?.read(into: &name) == true,
            json["pid"]?.read(into: &pid) == true,
            json["startTicks"]?.read(into: &startTicks) == true,
            json["uptimeSeconds"]?.read(into: &uptimeSeconds) == true,
            json["buildID"]?.read(into: &buildID) == true,
            json["uid"]?.read(into: &uid) == true,
            json["mode"]?.read(into: &mode) == true,
            json["residentBytes"]?.read(into: &residentBytes) == true
        else { return nil }
    }
}

extension ValueAnswer {
    fileprivate init?(direct json: JSONValue) {
        guard let value = json["value"], let node = ValueNode(direct: value) else { return nil }
        self.init(path: "", value: node, owner: "", read: "")
        guard json["path"]?.read(into: &path) == true,
            json["owner"]?.read(into: &owner) == true, json["read"]?.read(into: &read) == true
        else { return nil }
    }
}

extension ValueNode {
    fileprivate init?(direct json: JSONValue) {
        guard case .object(let members) = json else { return nil }
        self.init(type: "", kind: Kind(rawValue: ""))
        var hasType = false
        var hasKind = false
        var hasChildren = false
        for member in members {
            let isRead: Bool
            switch member.key {
            case "label": isRead = member.value.read(into: &label)
            case "text": isRead = member.value.read(into: &text)
            case "address": isRead = member.value.read(into: &address)
            case "note": isRead = member.value.read(into: &note)
            case "handle": isRead = member.value.read(into: &handle)
            case "count": isRead = member.value.read(into: &count)
            case "type":
                hasType = true
                isRead = member.value.read(into: &type)
            case "kind":
                hasKind = true
                isRead = member.value.read(into: &kind.rawValue)
            case "children":
                hasChildren = true
                isRead = read(children: member.value)
            case "cut": isRead = read(cut: member.value)
            default: isRead = true
            }
            if !isRead { return nil }
        }
        guard hasType, hasKind, hasChildren else { return nil }
    }

    private mutating func read(children json: JSONValue) -> Bool {
        guard case .array(let elements) = json else { return false }
        children = []
        children.reserveCapacity(elements.count)
        for element in elements {
            guard let child = ValueNode(direct: element) else { return false }
            children.append(child)
        }
        return true
    }

    private mutating func read(cut json: JSONValue) -> Bool {
        var made = Cut(reason: "")
        guard json["reason"]?.read(into: &made.reason) == true,
            json["omitted"].map({ $0.read(into: &made.omitted) }) ?? true
        else { return false }
        cut = made
        return true
    }
}

// Not generic, so that nothing is left for the runtime to make.
extension JSONValue {
    private var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    private var wide: UInt64? {
        switch self {
        case .integer(let number): UInt64(exactly: number)
        case .unsigned(let number): number
        default: nil
        }
    }

    fileprivate func read(into place: inout String) -> Bool {
        guard let string else { return false }
        place = string
        return true
    }

    fileprivate func read(into place: inout String?) -> Bool {
        place = string
        return place != nil
    }

    fileprivate func read(into place: inout Int?) -> Bool {
        guard case .integer(let number) = self, let fitting = Int(exactly: number) else {
            return false
        }
        place = fitting
        return true
    }

    fileprivate func read(into place: inout UInt64) -> Bool {
        guard let wide else { return false }
        place = wide
        return true
    }

    fileprivate func read(into place: inout Int) -> Bool {
        guard case .integer(let number) = self, let fitting = Int(exactly: number) else {
            return false
        }
        place = fitting
        return true
    }

    fileprivate func read(into place: inout Int32) -> Bool {
        guard case .integer(let number) = self, let fitting = Int32(exactly: number) else {
            return false
        }
        place = fitting
        return true
    }

    fileprivate func read(into place: inout UInt32) -> Bool {
        guard case .integer(let number) = self, let fitting = UInt32(exactly: number) else {
            return false
        }
        place = fitting
        return true
    }

    fileprivate func read(into place: inout Double) -> Bool {
        guard case .double(let number) = self else { return false }
        place = number
        return true
    }
}
#endif
