#if TELLTALE_COMPILED
/// `types`: the types of the program.
package enum TypesCommand: Command {
    package typealias Parameters = ListParameters
    package typealias Answer = TypesAnswer

    package static let description = CommandDescription(
        "types [WORD] [--limit N]", "the types of the program",
        detail: """
            Classes, actors, structs and enums that the program and its libraries declare, without
            those of the system and the toolchain.
            WORD         only those with this in their name
            --limit N    how many are listed; 100 without it
            """, example: "types photo", completes: .name(.type))
}

/// The answer to `types`.
public struct TypesAnswer: CommandAnswer {
    package static let kind = "types"

    /// A type.
    public struct Entry: Codable, Sendable, Equatable {
        /// Without its module: `Photo`, `Album.Cover`.
        public var name: String
        /// The module that declares it.
        public var module: String
        /// `class`, `actor`, `struct` or `enum`.
        public var kind: String
        /// It has generic parameters.
        public var isGeneric: Bool?

        package init(name: String, module: String, kind: String, isGeneric: Bool?) {
            self.name = name
            self.module = module
            self.kind = kind
            self.isGeneric = isGeneric
        }
    }

    /// The types, by name.
    public var types: [Entry]
    /// The number of entries left out.
    public var omitted: Int
    /// Parts that are not available, with the reason.
    public var notes: [String]

    package init(types: [Entry], omitted: Int, notes: [String]) {
        self.types = types
        self.omitted = omitted
        self.notes = notes
    }

    package func lines(_ style: TextStyle) -> [String] {
        var table = TextTable([.init("type", widest: 80), .init("kind"), .init("module")])
        for type in types {
            let generic = type.isGeneric == true ? "generic " : ""
            table.add([type.name, generic + type.kind, type.module])
        }
        var lines = types.isEmpty ? ["no such type"] : table.rendered(style)
        if omitted > 0 {
            lines.append(Quantity.more(omitted, by: "--limit \(types.count &+ omitted)"))
        }
        return lines + StackText.notes(notes, style)
    }
}
#endif
