#if TELLTALE_COMPILED
/// One change that was made through the agent, as `set`, `undo` and `changes` show it.
public struct ChangeRecord: Codable, Sendable, Equatable {
    /// Its number, from 1, for `undo`.
    public var number: Int
    /// What was changed or called.
    public var path: String
    /// The value before, as it would be typed; nil for a call.
    public var old: String?
    /// The value after, as it would be typed; for a call its arguments.
    public var new: String
    /// `done`, `undone by N`, `undoes N`, `failed: …`, `timed out`, or `cancelled: …` for what was not
    /// done since its client had gone before it began.
    public var result: String
    /// Who did it.
    public var by: Peer
    /// When, UTC with milliseconds: `2026-11-21T03:12:45.118Z`.
    public var time: String
    /// What of the host did not notice the change: observers, a wrapper's setter.
    public var note: String?

    /// Makes a record.
    ///
    /// - Parameters:
    ///   - number: Its number, from 1.
    ///   - path: What was changed or called.
    ///   - old: The value before.
    ///   - new: The value after.
    ///   - result: What came of it.
    ///   - by: Who did it.
    ///   - time: When, UTC with milliseconds.
    ///   - note: What of the host did not notice the change.
    public init(
        number: Int, path: String, old: String?, new: String, result: String, by: Peer,
        time: String, note: String? = nil
    ) {
        self.note = note
        self.number = number
        self.path = path
        self.old = old
        self.new = new
        self.result = result
        self.by = by
        self.time = time
    }
}

/// Who is at the other end of a connection, as the kernel says.
public struct Peer: Codable, Sendable, Equatable {
    /// User id.
    public var uid: UInt32
    /// Process id; 0 where the peer is in a pid namespace that can't be seen.
    public var pid: Int32
    /// The name of its program, where it can be read.
    public var program: String?

    /// Makes a peer.
    ///
    /// - Parameters:
    ///   - uid: User id.
    ///   - pid: Process id.
    ///   - program: The name of its program.
    public init(uid: UInt32, pid: Int32, program: String?) {
        self.uid = uid
        self.pid = pid
        self.program = program
    }
}

/// What `set` and `undo` answer.
public struct ChangeAnswer: Codable, Sendable, Equatable {
    /// The change that was made.
    public var change: ChangeRecord

    /// Makes the answer.
    ///
    /// - Parameter change: The change that was made.
    public init(change: ChangeRecord) { self.change = change }
}

/// What `changes` answers.
public struct ChangesAnswer: Codable, Sendable, Equatable {
    /// The changes that are still kept, oldest first.
    public var changes: [ChangeRecord]
    /// How many older ones were dropped at the bound.
    public var dropped: Int

    /// Makes the answer.
    ///
    /// - Parameters:
    ///   - changes: The changes that are still kept, oldest first.
    ///   - dropped: How many older ones were dropped at the bound.
    public init(changes: [ChangeRecord], dropped: Int) {
        self.changes = changes
        self.dropped = dropped
    }
}

/// What `actions` answers.
public struct ActionsAnswer: Codable, Sendable, Equatable {
    /// One registered action.
    public struct Entry: Codable, Sendable, Equatable {
        /// The name it was registered as.
        public var name: String
        /// The types of its arguments, in order.
        public var parameters: [String]
        /// The type of its result; `()` for none.
        public var result: String
        /// Where it runs, as ``ObjectsAnswer/Entry/owner`` spells it.
        public var owner: String
        /// Whether it is asynchronous.
        public var isAsync: Bool

        /// Makes an entry.
        ///
        /// - Parameters:
        ///   - name: The name it was registered as.
        ///   - parameters: The types of its arguments.
        ///   - result: The type of its result.
        ///   - owner: Where it runs.
        ///   - isAsync: Whether it is asynchronous.
        public init(
            name: String, parameters: [String], result: String, owner: String, isAsync: Bool
        ) {
            self.name = name
            self.parameters = parameters
            self.result = result
            self.owner = owner
            self.isAsync = isAsync
        }
    }

    /// The actions, sorted by name.
    public var actions: [Entry]

    /// Makes the answer.
    ///
    /// - Parameter actions: The actions, sorted by name.
    public init(actions: [Entry]) { self.actions = actions }
}

/// What `call` answers.
public struct CallAnswer: Codable, Sendable, Equatable {
    /// The action that ran.
    public var action: String
    /// Its result as a tree; nil where it returns nothing.
    public var value: ValueNode?
    /// How long it ran, in microseconds.
    public var microseconds: Int
    /// The number under which `changes` lists it.
    public var change: Int

    /// Makes the answer.
    ///
    /// - Parameters:
    ///   - action: The action that ran.
    ///   - value: Its result as a tree.
    ///   - microseconds: How long it ran.
    ///   - change: The number under which `changes` lists it.
    public init(action: String, value: ValueNode?, microseconds: Int, change: Int) {
        self.action = action
        self.value = value
        self.microseconds = microseconds
        self.change = change
    }
}
#endif
