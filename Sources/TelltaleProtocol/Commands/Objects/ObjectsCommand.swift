#if TELLTALE_COMPILED
/// `objects`: the registered objects.
package enum ObjectsCommand: Command {
    package typealias Answer = ObjectsAnswer

    package static let description = CommandDescription(
        "objects", "registered objects: name, type, owner, state",
        detail: """
            Every object that the service has registered, alive or gone, with the queue, actor or
            lock that guards it. Of those that are gone the last 64 that were found are listed.
            """)
}

/// The answer to `objects`: every registered object.
public struct ObjectsAnswer: CommandAnswer {
    package static let kind = "objects"

    /// A registered object.
    public struct Entry: Codable, Sendable, Equatable {
        /// The name it was registered as.
        public var name: String
        /// Its type, without modules.
        public var type: String
        /// The owner: `queue com.example.photos, concurrent`, `actor`, `main actor`, `lock`,
        /// `closure`, or `none`.
        public var owner: String
        /// `alive`, `gone`, or `value` for a closure that makes one.
        public var state: String
        /// Its address as hexadecimal, while it is alive.
        public var address: String?

        package init(name: String, type: String, owner: String, state: String, address: String?) {
            self.name = name
            self.type = type
            self.owner = owner
            self.state = state
            self.address = address
        }
    }

    /// The objects, in the order of their registration.
    public var objects: [Entry]

    /// The number of further registered objects that are gone and no longer listed; `nil` for none.
    public var forgotten: Int?

    package init(objects: [Entry], forgotten: Int? = nil) {
        self.objects = objects
        self.forgotten = forgotten
    }

    package func lines(_ style: TextStyle) -> [String] {
        let rest =
            forgotten.map {
                ["\(Quantity.count($0, "more that is", "more that are")) gone, not listed any more"]
            } ?? []
        guard !objects.isEmpty else { return ["no objects are registered"] + rest }
        var table = TextTable([
            .init("name"), .init("type"), .init("owner", goesBelow: true, staysLonger: true),
            .init("state"), .init("address", isExtra: true),
        ])
        for entry in objects {
            table.add([entry.name, entry.type, entry.owner, entry.state, entry.address ?? ""])
        }
        return table.rendered(style) + rest
    }
}
#endif
