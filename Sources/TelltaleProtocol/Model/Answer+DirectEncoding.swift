#if TELLTALE_COMPILED
/// Answers written without `Codable`.
///
/// Those that have an entry for each of thousands of tasks, frames or items: `Codable`'s containers
/// took two thirds of the time of such an answer, and ten times as long in an agent that is not
/// optimised (measured). What is written is the same, member by member.
extension Answer {
    /// The answer as JSON.
    ///
    /// - Throws: `EncodingError` for a number that JSON can't say.
    package func json() throws -> JSONValue {
        var list = MemberList(first: "kind", kind)
        switch self {
        case .value(let answer), .plain(let answer): answer.write(to: &list)
        case .tasks(let answer): answer.write(to: &list)
        case .threads(let answer): answer.write(to: &list)
        case .stack(let answer): answer.write(to: &list)
        case .queue(let answer): try answer.write(to: &list)
        default: return try JSONValueEncoder.encode(self)
        }
        return list.json
    }
}

/// The members of an object that is being written; what is nil is left out.
///
/// Not generic: unspecialised code is what makes `Codable` slow.
private struct MemberList {
    private var members: [JSONMember] = []

    var json: JSONValue { .object(members) }

    init(first key: String, _ value: String) {
        members.reserveCapacity(12)
        add(key, value)
    }

    init(first key: String, _ value: Int) {
        members.reserveCapacity(12)
        add(key, value)
    }

    init(capacity: Int = 8) { members.reserveCapacity(capacity) }

    mutating func add(_ key: String, _ value: JSONValue) {
        members.append(JSONMember(key, value))
    }
    mutating func add(_ key: String, _ value: String) { add(key, .string(value)) }
    mutating func add(_ key: String, _ value: Bool) { add(key, .bool(value)) }
    mutating func add(_ key: String, _ value: Int) { add(key, .integer(Int64(value))) }
    mutating func add(_ key: String, _ value: String?) {
        if let value { add(key, .string(value)) }
    }
    mutating func add(_ key: String, _ value: Int?) { if let value { add(key, value) } }
    mutating func add(_ key: String, _ value: Int32?) {
        if let value { add(key, .integer(Int64(value))) }
    }
    mutating func add(_ key: String, _ value: UInt64?) {
        guard let value else { return }
        add(key, Int64(exactly: value).map { .integer($0) } ?? .unsigned(value))
    }
    mutating func add(_ key: String, _ values: [String]) {
        add(key, .array(values.map { .string($0) }))
    }
}

extension ValueAnswer {
    fileprivate func write(to list: inout MemberList) {
        list.add("path", path)
        list.add("value", value.json)
        list.add("owner", owner)
        list.add("read", read)
    }
}

extension ValueNode {
    // As deep as the tree, which the agent's reader bounds, and so does whoever reads one.
    fileprivate var json: JSONValue {
        // No more than it needs: of a big value there are a hundred thousand at once.
        func room<Value>(_ member: Value?) -> Int { member == nil ? 0 : 1 }
        let texts = room(label) + room(text) + room(address) + room(note)
        var list = MemberList(capacity: 3 + texts + room(handle) + room(count) + room(cut))
        list.add("label", label)
        list.add("type", type)
        list.add("kind", kind.rawValue)
        list.add("text", text)
        list.add("address", address)
        list.add("handle", handle)
        list.add("count", count)
        list.add("children", .array(children.map(\.json)))
        if let cut { list.add("cut", cut.json) }
        list.add("note", note)
        return list.json
    }
}

extension ValueNode.Cut {
    fileprivate var json: JSONValue {
        var list = MemberList()
        list.add("reason", reason)
        list.add("omitted", omitted)
        return list.json
    }
}

extension StackFrame {
    fileprivate var json: JSONValue {
        var list = MemberList()
        list.add("function", function)
        list.add("module", module)
        list.add("file", file)
        list.add("line", line)
        list.add("address", address)
        list.add("isInlined", isInlined)
        list.add("isAsync", isAsync)
        return list.json
    }
}

extension ThreadEntry {
    fileprivate var json: JSONValue {
        var list = MemberList(first: "id", Int(id))
        list.add("name", name)
        list.add("state", state)
        list.add("call", call)
        list.add("queue", queue)
        list.add("task", task)
        list.add("cpuSeconds", .double(cpuSeconds))
        list.add("isMain", isMain)
        list.add("isAgent", isAgent)
        list.add("note", note)
        return list.json
    }
}

extension ThreadsAnswer {
    fileprivate func write(to list: inout MemberList) {
        list.add("threads", .array(threads.map(\.json)))
        list.add("agentThreads", agentThreads)
        list.add("notes", notes)
    }
}

extension StackAnswer {
    fileprivate func write(to list: inout MemberList) {
        list.add("groups", .array(groups.map(\.json)))
        list.add("agentThreads", agentThreads)
        list.add("interrupted", interrupted)
        list.add("longestHoldNanoseconds", longestHoldNanoseconds)
        list.add("microseconds", microseconds)
        list.add("notes", notes)
    }
}

extension StackAnswer.Group {
    fileprivate var json: JSONValue {
        var list = MemberList()
        list.add("threads", .array(threads.map(\.json)))
        list.add("frames", .array(frames.map(\.json)))
        list.add("gap", gap)
        return list.json
    }
}

extension TasksAnswer {
    fileprivate func write(to list: inout MemberList) {
        list.add("tasks", .array(tasks.map(\.json)))
        list.add("omitted", omitted)
        list.add("isFull", isFull)
        list.add("notes", notes)
    }
}

extension TasksAnswer.Entry {
    fileprivate var json: JSONValue {
        var list = MemberList()
        list.add("id", id)
        list.add("name", name)
        list.add("state", state)
        list.add("priority", priority)
        list.add("isCancelled", isCancelled)
        list.add("isChild", isChild)
        list.add("waitsFor", waitsFor)
        list.add("parent", parent)
        list.add("thread", thread)
        list.add("frames", .array(frames.map(\.json)))
        list.add("address", address)
        list.add("note", note)
        return list.json
    }
}

extension QueueAnswer {
    fileprivate func write(to list: inout MemberList) throws {
        list.add("queue", try JSONValueEncoder.encode(queue))
        list.add("items", .array(items.map(\.json)))
        list.add("omitted", omitted)
        if let holder { list.add("holder", holder.json) }
        list.add("notes", notes)
    }
}

extension QueueAnswer.Item {
    fileprivate var json: JSONValue {
        var list = MemberList(first: "index", index)
        list.add("kind", kind)
        list.add("function", function)
        list.add("file", file)
        list.add("line", line)
        list.add("address", address)
        list.add("isBarrier", isBarrier)
        list.add("isCancelled", isCancelled)
        list.add("isInGroup", isInGroup)
        list.add("waiter", waiter)
        list.add("object", object)
        return list.json
    }
}
#endif
