#if TELLTALE_COMPILED
/// `actions`: the registered actions.
package enum ActionsCommand: Command {
    package typealias Answer = ActionsAnswer

    package static let description = CommandDescription(
        "actions", "the actions that can be called",
        detail: """
            Each with the types of its arguments and its result, and where it runs.
            """)
}

/// The answer to `actions`.
public struct ActionsAnswer: CommandAnswer {
    package static let kind = "actions"

    /// A registered action.
    public struct Entry: Codable, Sendable, Equatable {
        /// The name it was registered as.
        public var name: String
        /// The types of its arguments, in order.
        public var parameters: [String]
        /// The type of its result; `()` for none.
        public var result: String
        /// The executor that runs it, as in ``ObjectsAnswer/Entry/owner``.
        public var owner: String
        /// Indicates that the action is asynchronous.
        public var isAsync: Bool

        package init(
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

    package init(actions: [Entry]) { self.actions = actions }

    package func lines(_ style: TextStyle) -> [String] {
        guard !actions.isEmpty else { return ["no actions are registered"] }
        var table = TextTable([
            .init("action"), .init("result", goesBelow: true), .init("owner", goesBelow: true),
        ])
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
