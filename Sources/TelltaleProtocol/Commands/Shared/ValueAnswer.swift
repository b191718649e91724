#if TELLTALE_COMPILED
/// What `show` and `get` answer: one value, and how it was read.
public struct ValueAnswer: Codable, Sendable, Equatable {
    /// The path that was asked for, as the agent understood it.
    public var path: String
    /// The value.
    public var value: ValueNode
    /// The owner on which it was read, as ``ObjectsAnswer/Entry/owner`` spells it.
    public var owner: String
    /// How it was read: `on its owner`, `in place`, or `in a snapshot`.
    public var read: String

    /// Makes the answer.
    ///
    /// - Parameters:
    ///   - path: The path that was asked for.
    ///   - value: The value.
    ///   - owner: The owner on which it was read.
    ///   - read: How it was read.
    public init(path: String, value: ValueNode, owner: String, read: String) {
        self.path = path
        self.value = value
        self.owner = owner
        self.read = read
    }
}

extension ValueAnswer {
    func lines(_ style: TextStyle) -> [String] {
        ValueTree(style: style).lines(of: value, label: path, remarks: [whereRead])
    }

    /// How the value was read, in the words of the root line.
    private var whereRead: String {
        guard read == "on its owner" else { return read }
        return switch owner {
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
