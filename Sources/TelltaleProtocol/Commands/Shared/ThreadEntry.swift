#if TELLTALE_COMPILED
/// A thread.
public struct ThreadEntry: MemberCoded {
    /// The kernel's id, as `stack` takes it.
    public var id: Int32
    /// The kernel's name of it, at most 15 bytes.
    public var name: String
    /// `running`, `waiting`, `stopped` or `unknown`.
    public var state: String
    /// The system call that it waits in: `futex`, `epoll_wait`.
    public var call: String?
    /// The label of the dispatch queue whose items it runs.
    public var queue: String?
    /// The Swift task that it runs: `#12`, `#12 refresh`.
    public var task: String?
    /// Processor time used since it began, in seconds.
    public var cpuSeconds: Double
    /// The innermost function of the service's own in which a waiting thread is; only in `threads`.
    public var function: String?
    /// The source file of that function.
    public var file: String?
    /// The line where it is.
    public var line: Int?
    /// The main thread.
    public var isMain = false
    /// Indicates that it is one of the agent's own.
    public var isAgent = false
    /// A remark: the reason that the state is not available.
    public var note: String?
}

extension ThreadEntry {
    /// An empty one, to be read into.
    public init() { self.init(id: 0, name: "", state: "", cpuSeconds: 0) }

    /// Names the members.
    public mutating func code(_ coder: inout MemberCoder) {
        coder.member("id", &id)
        coder.member("name", &name)
        coder.member("state", &state)
        coder.member("call", &call)
        coder.member("queue", &queue)
        coder.member("task", &task)
        coder.member("cpuSeconds", &cpuSeconds)
        coder.member("function", &function)
        coder.member("file", &file)
        coder.member("line", &line)
        coder.member("isMain", &isMain)
        coder.member("isAgent", &isAgent)
        coder.member("note", &note)
    }

    /// The suffix after its name or id: ` (main)`, ` (the agent's)`.
    var mark: String { isMain ? " (main)" : AgentMark.of(isAgent) }

    /// `running`, `waiting in futex`.
    package var stateText: String {
        guard state == "waiting", let call else { return state }
        return "waiting in \(call)"
    }

    /// The function and its place.
    var placeCells: [String] { [function ?? "", StackText.place(file, line) ?? ""] }

    /// The queue, the task, or both, that the thread works for.
    var serves: String {
        [queue, task.map { "task \($0)" }].compactMap(\.self).joined(separator: ", ")
    }
}
#endif
