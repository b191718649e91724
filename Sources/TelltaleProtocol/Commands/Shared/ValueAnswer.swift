#if TELLTALE_COMPILED
/// The answer to `show` and `get`: one value, and how it was read.
public struct ValueAnswer: CommandAnswer, MemberCoded {
    package static let kind = "value"
    /// The way an owned value was read.
    package static let onOwner = "on its owner"

    /// The path that was asked for, as the agent understood it.
    public var path: String
    /// The value.
    public var value: ValueNode {
        get { content.node }
        set { content = .node(newValue) }
    }
    package private(set) var content: ValueContent
    /// The owner on which it was read, as ``ObjectsAnswer/Entry/owner`` has it; `not known` of an object
    /// that was found in memory.
    public var owner: String
    /// The way it was read: `on its owner`, `in place`, or `in a snapshot`.
    public var read: String
    /// The object's address and reference counts, if asked for.
    public var memory: ValueMemory?
    /// The bytes of the value, where they were asked for.
    public var bytes: ValueBytes?
    /// The layout of the value as a table; `nil` for another layout.
    public var table: ValueTableForm?
    /// The matches found in the value; `nil` if there was no search. The value's parts are then
    /// left out.
    public var matches: ValueMatches?

    package init(path: String, value: ValueNode, owner: String, read: String) {
        self.init(path: path, content: .node(value), owner: owner, read: read)
    }

    package init(path: String, content: ValueContent, owner: String, read: String) {
        self.path = path
        self.content = content
        self.owner = owner
        self.read = read
        guard case .detailed(let node, let detail) = content else { return }
        self.content = .node(node)
        memory = detail.memory
        bytes = detail.bytes
    }

    /// An empty one, to be read into.
    public init() { self.init(path: "", value: ValueNode(), owner: "", read: "") }

    /// Names the members.
    public mutating func code(_ coder: inout MemberCoder) {
        coder.member("path", &path)
        coder.member("value", &value)
        coder.member("owner", &owner)
        coder.member("read", &read)
        coder.member("memory", &memory)
        coder.member("bytes", &bytes)
        coder.member("table", &table)
        coder.member("matches", &matches)
    }

    /// Indicates a layout that is neither a tree nor one line.
    package var isSpecial: Bool { table != nil || matches != nil }

    package func lines(_ style: TextStyle) -> [String] {
        let tree = ValueTree(style: style)
        if let matches {
            let head = tree.firstLine(of: value, label: path, remarks: [whereRead])
            return [head] + matches.lines(style)
        }
        if let table {
            var head = value
            head.children = []
            head.cut = nil
            return [tree.firstLine(of: head, label: path, remarks: [whereRead])]
                + table.lines(of: value, style)
        }
        return tree.lines(of: value, label: path, remarks: [whereRead])
            + (memory?.lines ?? []) + (bytes?.lines ?? [])
    }

    package var packedResult: PackedResult? { packedResult(kind: Self.kind) }

    /// The output of ``code(_:)``, with the value left open.
    func packedResult(kind: String) -> PackedResult? {
        guard case .packed(let packed) = content, !isSpecial else { return nil }
        func text(_ text: String) -> [UInt8] { JSONValue.string(text).serializedBytes() }
        return PackedResult(
            before: Array(#"{"kind":"#.utf8) + text(kind) + Array(#","path":"#.utf8) + text(path)
                + Array(#","value":"#.utf8),
            value: packed,
            after: Array(#","owner":"#.utf8) + text(owner) + Array(#","read":"#.utf8) + text(read)
                + Array("}".utf8))
    }

    package var exitStatus: ExitStatus {
        if case .packed(let packed) = content { return packed.head.exitStatus }
        return value.exitStatus
    }

    /// The way the value was read, in the words of the root line.
    private var whereRead: String {
        switch read {
        case _ where owner == "not known": "\(read), its owner is not known"
        case Self.onOwner: place
        case "from its closure" where owner != "closure": "\(read), \(place)"
        case "computed by its closure" where owner != "closure": "\(read), \(place)"
        default: read
        }
    }

    /// The owner, as where something was done.
    private var place: String {
        switch owner {
        case "actor": "on its actor"
        case "main actor": "on the main actor"
        case "lock": "under its lock"
        case "closure": "made by its closure"
        case "none": "in place"
        default: "on \(owner)"
        }
    }
}
#endif
