#if TELLTALE_COMPILED
/// `cycle`: whether strong references lead from an object back to it.
package enum CycleCommand: Command {
    package struct Parameters: JSONCodable {
        /// A path to the object, as typed: `#7`.
        package var path: String
    }

    package typealias Answer = CycleAnswer

    package static let description = CommandDescription(
        "cycle PATH", "whether an object's strong references lead back to it",
        detail: """
            Searches the memory backwards from the object, through everything that holds it, for
            the object itself. What is weak or unowned counts for nothing.
            """, example: "cycle photos", timeout: .seconds(20), progress: "searching the memory",
        completes: .path)

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        Parameters(path: try arguments.word("an object, such as #7"))
    }
}

/// The answer to `cycle`.
public struct CycleAnswer: CommandAnswer {
    package static let kind = "cycle"

    /// The object.
    public var object: InstancesAnswer.Entry
    /// A shortest cycle: the object first, each holds the next, and the last one holds the object. Empty where
    /// there is none.
    public var steps: [HoldersAnswer.Holder]
    /// Parts that are not available, with the reason.
    public var notes: [String]

    package init(
        object: InstancesAnswer.Entry, steps: [HoldersAnswer.Holder], notes: [String]
    ) {
        self.object = object
        self.steps = steps
        self.notes = notes
    }

    package func lines(_ style: TextStyle) -> [String] {
        let lines =
            steps.isEmpty
            ? ["no strong references lead from #\(object.handle) \(object.type) back to it".escaped]
            : ["strong references lead back to it:"] + HoldersAnswer.lines(of: steps, to: object)
        return lines + StackText.notes(notes, style)
    }
}
#endif
