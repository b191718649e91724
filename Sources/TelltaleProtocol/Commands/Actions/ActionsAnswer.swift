#if TELLTALE_COMPILED
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

extension ActionsAnswer {
    func lines(_ style: TextStyle) -> [String] {
        guard !actions.isEmpty else { return ["no actions are registered"] }
        var table = TextTable([.init("action"), .init("result"), .init("owner")])
        for entry in actions {
            let arguments = entry.parameters.joined(separator: ", ")
            table.add([
                "\(entry.name)(\(arguments))\(entry.isAsync ? " async" : "")", entry.result,
                entry.owner,
            ])
        }
        return table.rendered(style)
    }
}
#endif
