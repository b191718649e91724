#if TELLTALE_COMPILED
/// `instances`: the objects of a class, registered or not.
package enum InstancesCommand: Command {
    package struct Parameters: JSONCodable {
        /// The class: `Photo`, `Album.Cover`, `Photos.Photo`, `Cache<Int>`.
        package var type: String
        /// A property and its value, `size=3400`, or a condition, `size > 3400`; nil for all objects.
        package var `where`: String?
        /// The number of instances listed; `nil` for 20.
        package var limit: Int?
    }

    package typealias Answer = InstancesAnswer

    package static let description = CommandDescription(
        "instances TYPE [--where CONDITION] [--limit N]",
        "the objects of a class, registered or not",
        detail: """
            Found on the heap, those of subclasses too. Each gets a number: `show #7` reads it in
            place as far as that is safe, else in a frozen copy, since its owner is not known.
            Nothing is kept alive by it: where the object has ended, it is said to be gone.
            --where CONDITION  only those whose property has this value, id=3, or for which a condition
                               holds: 'attempts > 1 && state == .ready'
            --limit N          how many are listed; 20 without it
            """, example: "instances Photo --limit 5", completes: .name(.type))

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        let condition = try arguments.option("--where", needs: "a condition: FIELD=VALUE")
        let limit = try arguments.count("--limit")
        return Parameters(
            type: try arguments.word("a class; `heap` lists them"), where: condition, limit: limit)
    }
}

/// The answer to `instances`.
public struct InstancesAnswer: CommandAnswer {
    package static let kind = "instances"

    /// An object.
    public struct Entry: Codable, Sendable, Equatable {
        /// Its number: `#7`.
        public var handle: Int
        /// Its class.
        public var type: String
        /// Its address, hexadecimal with `0x`.
        public var address: String
        /// The properties that can be read in place, `size: 3400, isNew: true`; a few at most.
        public var values: String

        package init(handle: Int, type: String, address: String, values: String) {
            self.handle = handle
            self.type = type
            self.address = address
            self.values = values
        }
    }

    /// The listed objects, in the order of their addresses in each part of the heap.
    public var instances: [Entry]
    /// The number of instances.
    public var total: Int
    /// Parts that are not available, with the reason.
    public var notes: [String]

    package init(instances: [Entry], total: Int, notes: [String]) {
        self.instances = instances
        self.total = total
        self.notes = notes
    }

    package func lines(_ style: TextStyle) -> [String] {
        var table = TextTable([
            .init("object"), .init("class", widest: 60), .init("address", isExtra: true),
            .init("values", goesBelow: true),
        ])
        for entry in instances {
            table.add(["#\(entry.handle)", entry.type, entry.address, entry.values])
        }
        var lines = instances.isEmpty ? [] : [title.escaped] + table.rendered(style)
        let more = total &- instances.count
        if more > 0, !instances.isEmpty {
            lines.append(Quantity.more(more, by: "--limit \(total)"))
        } else if instances.isEmpty {
            lines.append(total > 0 ? Quantity.count(total, "object", "objects") : "no such object")
        }
        return lines + StackText.notes(notes, style)
    }

    /// `25 objects of class Order`; without a class if subclasses are among them.
    private var title: String {
        let classes = Set(instances.map(\.type))
        let name = classes.count == 1 ? classes.first.map { " of class \($0)" } : nil
        return Quantity.count(total, "object", "objects") + (name ?? "")
    }
}
#endif
