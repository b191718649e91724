#if TELLTALE_COMPILED
/// What `objects` answers: every registered object.
public struct ObjectsAnswer: Codable, Sendable, Equatable {
    /// One registered object.
    public struct Entry: Codable, Sendable, Equatable {
        /// The name it was registered as.
        public var name: String
        /// Its type, without modules.
        public var type: String
        /// Who guards it: `queue com.example.photos, concurrent`, `actor`, `main actor`, `lock`,
        /// `closure`, or `none`.
        public var owner: String
        /// `alive`, `gone`, or `value` for a closure that makes one.
        public var state: String
        /// Its address as hexadecimal, while it is alive.
        public var address: String?

        /// Makes an entry.
        ///
        /// - Parameters:
        ///   - name: The name it was registered as.
        ///   - type: Its type, without modules.
        ///   - owner: Who guards it.
        ///   - state: `alive`, `gone` or `value`.
        ///   - address: Its address as hexadecimal.
        public init(name: String, type: String, owner: String, state: String, address: String?) {
            self.name = name
            self.type = type
            self.owner = owner
            self.state = state
            self.address = address
        }
    }

    /// The objects, in the order of their registration.
    public var objects: [Entry]

    /// Makes the answer.
    ///
    /// - Parameter objects: The objects, in the order of their registration.
    public init(objects: [Entry]) { self.objects = objects }
}

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

/// What `complete` answers: how a half-typed line can go on.
public struct CompletionAnswer: Codable, Sendable, Equatable {
    /// Whole replacements for the word that was being typed, sorted.
    public var candidates: [String]
    /// Whether there were more than were sent.
    public var isCut: Bool

    /// Makes the answer.
    ///
    /// - Parameters:
    ///   - candidates: Whole replacements for the word that was being typed.
    ///   - isCut: Whether there were more than were sent.
    public init(candidates: [String], isCut: Bool) {
        self.candidates = candidates
        self.isCut = isCut
    }
}
#endif
