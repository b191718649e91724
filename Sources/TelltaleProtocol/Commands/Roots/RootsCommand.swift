#if TELLTALE_COMPILED
/// `roots`: the globals and static properties of the program.
package enum RootsCommand: Command {
    package typealias Parameters = ListParameters
    package typealias Answer = RootsAnswer

    package static let description = CommandDescription(
        "roots [WORD] [--limit N]", "globals and static properties of the program",
        detail: """
            Found by the program's symbols, so none has to be registered. `show NAME` reads one as an
            object whose owner is not known. A lazy one that was never used is not initialised, and
            reading does not initialise it.
            WORD         only those with this in their name or type
            --limit N    how many are listed; 100 without it
            """, example: "roots shared")
}

/// The answer to `roots`.
public struct RootsAnswer: CommandAnswer {
    package static let kind = "roots"

    /// A variable.
    public struct Entry: Codable, Sendable, Equatable {
        /// As the source has it, without its module: `photos`, `PhotoManager.shared`.
        public var name: String
        /// The module that declares it.
        public var module: String
        /// Its type, as it was declared.
        public var type: String
        /// `made`, `not yet` of a lazy one that was never used, or `being made`.
        public var state: String
        /// Its address, hexadecimal with `0x`.
        public var address: String

        /// `not initialised yet (lazy)`; `nil` for an initialised variable.
        fileprivate var stateText: String? {
            switch state {
            case "made": nil
            case "not yet": "not initialised yet (lazy)"
            case "being made": "being initialised"
            default: state
            }
        }

        package init(name: String, module: String, type: String, state: String, address: String) {
            self.name = name
            self.module = module
            self.type = type
            self.state = state
            self.address = address
        }
    }

    /// The variables, by name.
    public var roots: [Entry]
    /// The number of entries left out.
    public var omitted: Int
    /// Parts that are not available, with the reason.
    public var notes: [String]

    package init(roots: [Entry], omitted: Int, notes: [String]) {
        self.roots = roots
        self.omitted = omitted
        self.notes = notes
    }

    package func lines(_ style: TextStyle) -> [String] {
        // `show NAME` shows the value; a state is said where it isn't the usual one.
        let hasState = roots.contains { $0.stateText != nil }
        var table = TextTable(
            [.init("variable", widest: 60), .init("type", widest: 60), .init("module")]
                + (hasState ? [.init("state", goesBelow: true)] : []))
        for root in roots {
            table.add([root.name, root.type, root.module, root.stateText ?? ""])
        }
        var lines = roots.isEmpty ? ["no such variable"] : table.rendered(style)
        if omitted > 0 {
            lines.append(Quantity.more(omitted, by: "--limit \(roots.count &+ omitted)"))
        }
        return lines + StackText.notes(notes, style)
    }
}
#endif
