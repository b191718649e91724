#if TELLTALE_COMPILED
/// `methods`: the methods of a type of the program.
package enum MethodsCommand: Command {
    package struct Parameters: JSONCodable {
        /// The type: `Photo`, `Album.Cover`, `Photos.Photo`.
        package var type: String
    }

    package typealias Answer = MethodsAnswer

    package static let description = CommandDescription(
        "methods TYPE", "methods, initialisers and properties of a type",
        detail: """
            From the program's symbols: what the compiler has left of the type's own functions. An
            optimised program has fewer, a stripped one none. What a superclass has is listed there.
            Of each method it is said whether `call` can call it, and why not.
            """, example: "methods PhotoManager", completes: .name(.type))

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        Parameters(type: try arguments.word("a type; `types` lists them"))
    }
}

/// The answer to `methods`.
public struct MethodsAnswer: CommandAnswer {
    package static let kind = "methods"

    /// The type, without its module.
    public var type: String
    /// The module that declares it.
    public var module: String
    /// As the source has them, without modules: `add(_: Photo) -> Int`, `static func make()`, `var items: [Photo]
    /// { get set }`.
    public var methods: [String]
    /// The reason that `call` can't call each of them; empty for one that can be called, `nil` for
    /// a property.
    public var refusals: [String?]
    /// The number of entries left out.
    public var omitted: Int
    /// Parts that are not available, with the reason.
    public var notes: [String]

    package init(
        type: String, module: String, methods: [String], refusals: [String?], omitted: Int,
        notes: [String]
    ) {
        self.type = type
        self.module = module
        self.methods = methods
        self.refusals = refusals
        self.omitted = omitted
        self.notes = notes
    }

    package func lines(_ style: TextStyle) -> [String] {
        var lines = methods.isEmpty ? ["no function of \(type) is among the symbols"] : []
        for (index, method) in methods.enumerated() {
            switch index < refusals.count ? refusals[index] : nil {
            case nil: lines.append(method)
            case "": lines.append("\(method)  (callable)")
            case let refusal?: lines.append("\(method)  (not callable: \(refusal))")
            }
        }
        if omitted > 0 { lines.append(Quantity.more(omitted)) }
        return lines.map(\.escaped) + StackText.notes(notes, style)
    }
}
#endif
