#if TELLTALE_COMPILED
/// The parameters of `show`.
public struct ShowParameters: Codable, Sendable, Equatable {
    /// The path, as typed: `photos.items[0]`, `#7`.
    public var path: String
    /// How many levels below the value are shown; nil for the agent's default.
    public var depth: Int?
    /// How many elements of each collection are shown; nil for the agent's default.
    public var limit: Int?
    /// Reads a frozen copy of the process instead of the live one.
    public var snapshot: Bool?
    /// Also runs the value's own `description`, on its owner.
    public var describe: Bool?

    /// Makes the parameters.
    ///
    /// - Parameters:
    ///   - path: The path, as typed.
    ///   - depth: How many levels are shown.
    ///   - limit: How many elements of each collection are shown.
    ///   - snapshot: Reads a frozen copy of the process.
    ///   - describe: Also runs the value's own `description`.
    public init(
        path: String, depth: Int? = nil, limit: Int? = nil, snapshot: Bool? = nil,
        describe: Bool? = nil
    ) {
        self.path = path
        self.depth = depth
        self.limit = limit
        self.snapshot = snapshot
        self.describe = describe
    }
}

/// The parameters of `get`.
public struct GetParameters: Codable, Sendable, Equatable {
    /// The path, as typed.
    public var path: String

    /// Makes the parameters.
    ///
    /// - Parameter path: The path, as typed.
    public init(path: String) { self.path = path }
}

/// The parameters of `set`.
public struct SetParameters: Codable, Sendable, Equatable {
    /// The path, as typed.
    public var path: String
    /// The value, as typed; parsed by the property's type.
    public var value: String

    /// Makes the parameters.
    ///
    /// - Parameters:
    ///   - path: The path, as typed.
    ///   - value: The value, as typed.
    public init(path: String, value: String) {
        self.path = path
        self.value = value
    }
}

/// The parameters of `call`.
public struct CallParameters: Codable, Sendable, Equatable {
    /// The action's name.
    public var action: String
    /// What stands between the parentheses, as typed.
    public var arguments: String

    /// Makes the parameters.
    ///
    /// - Parameters:
    ///   - action: The action's name.
    ///   - arguments: What stands between the parentheses.
    public init(action: String, arguments: String) {
        self.action = action
        self.arguments = arguments
    }
}

/// The parameters of `undo`.
public struct UndoParameters: Codable, Sendable, Equatable {
    /// The number of the change.
    public var number: Int

    /// Makes the parameters.
    ///
    /// - Parameter number: The number of the change.
    public init(number: Int) { self.number = number }
}

/// The parameters of `dump`.
public struct DumpParameters: Codable, Sendable, Equatable {
    /// The number of an earlier dump to show again; nil makes a new one.
    public var id: Int?
    /// Where the client writes it; the agent never opens a path that a client names.
    public var output: String?
    /// Has the lines come ahead as `part` notifications; the answer's own `lines` are then empty.
    public var stream: Bool?

    /// Makes the parameters.
    ///
    /// - Parameters:
    ///   - id: The number of an earlier dump.
    ///   - output: Where the client writes it.
    ///   - stream: Has the lines come ahead of the answer.
    public init(id: Int? = nil, output: String? = nil, stream: Bool? = nil) {
        self.id = id
        self.output = output
        self.stream = stream
    }
}

/// The parameters of `help`.
public struct HelpParameters: Codable, Sendable, Equatable {
    /// The command that help is wanted for; nil for all.
    public var command: String?

    /// Makes the parameters.
    ///
    /// - Parameter command: The command that help is wanted for.
    public init(command: String? = nil) { self.command = command }
}

/// The parameters of `complete`.
public struct CompletionParameters: Codable, Sendable, Equatable {
    /// The half-typed path: `photos.it`, `photos.items[0].`.
    public var path: String
    /// What is half-typed instead of a path: `queue` for a queue's label, `thread` for an id.
    public var of: String?

    /// Makes the parameters.
    ///
    /// - Parameters:
    ///   - path: The half-typed path.
    ///   - of: What is half-typed instead of a path.
    public init(path: String, of: String? = nil) {
        self.path = path
        self.of = of
    }
}

/// The parameters of a command that takes none.
public struct NoParameters: Codable, Sendable, Equatable {
    /// Makes the parameters.
    public init() {}
}
#endif
