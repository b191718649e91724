#if TELLTALE_COMPILED
/// `holders`: the referrers of an object.
package enum HoldersCommand: Command {
    package struct Parameters: JSONCodable {
        /// A path to the object, as typed: `#7`, `photos.items[0]`.
        package var path: String
        /// Also looks for a shortest way from where a way begins.
        package var way: Bool?
    }

    package typealias Answer = HoldersAnswer

    package static let description = CommandDescription(
        "holders PATH [--path]", "who refers to an object, by property, element, variable, stack",
        detail: """
            Searches the memory for words that lead to the object, and says where each stands.
            What is only weak or unowned is said to be so, and keeps nothing alive.
            --path    a shortest way to it from a variable, a registered object, a queue's waiting
                      item, a suspended task or a thread's stack
            """, example: "holders photos --path", timeout: .seconds(20),
        progress: "searching the memory", completes: .path)

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        let way = arguments.flag("--path")
        return Parameters(path: try arguments.word("an object, such as #7"), way: way)
    }
}

/// The answer to `holders`.
public struct HoldersAnswer: CommandAnswer {
    package static let kind = "holders"

    /// Something that has a word which leads to the object, or to the holder before it.
    public struct Holder: Codable, Sendable, Equatable {
        /// `property`, `element`, `key`, `value`, `captured`, `boxed`, `weak`, `unowned`, `variable`, `stack`,
        /// `task`, `item`, `registered`, `block` or `memory`.
        public var kind: String
        /// The referrer: `Album`, `[Photo]`, `thread 4251`, `queue com.example.photos`.
        public var name: String
        /// The number of an object: `#8`.
        public var handle: Int?
        /// Its address, hexadecimal with `0x`.
        public var address: String?
        /// The position in the referrer: `cover`, `[3]`, `["key"]`.
        public var place: String?
        /// Indicates that the word's type is not a reference, so it may be a number that looks like
        /// one.
        public var isUncertain: Bool?

        package init(kind: String, name: String) {
            self.kind = kind
            self.name = name
        }

        /// Indicates that the reference keeps the object alive.
        var keeps: Bool { kind != "weak" && kind != "unowned" }
    }

    /// The object.
    public var object: InstancesAnswer.Entry
    /// The referrers found, the strong ones first.
    public var holders: [Holder]
    /// The number of entries left out.
    public var omitted: Int
    /// A shortest retaining path, from its root to the object; `nil` if none was asked for, empty
    /// if none was found.
    public var way: [Holder]?
    /// Parts that are not available, with the reason.
    public var notes: [String]

    package init(
        object: InstancesAnswer.Entry, holders: [Holder] = [], omitted: Int = 0,
        way: [Holder]? = nil, notes: [String] = []
    ) {
        self.object = object
        self.holders = holders
        self.omitted = omitted
        self.way = way
        self.notes = notes
    }

    package func lines(_ style: TextStyle) -> [String] {
        var lines = ["#\(object.handle) \(object.type) \(object.address)".escaped]
        if holders.isEmpty {
            lines.append("no holder was found")
        } else {
            var table = TextTable([
                .init("by"), .init("holder", widest: 60), .init("place", widest: 60),
                .init("address", isExtra: true),
            ])
            for holder in holders {
                table.add([holder.by, holder.title, holder.place ?? "", holder.address ?? ""])
            }
            lines += table.rendered(style)
        }
        if omitted > 0 { lines.append(Quantity.more(omitted)) }
        if let way {
            lines.append(way.isEmpty ? "no way to it was found" : "a shortest way to it:")
            lines += Self.lines(of: way, to: object)
        }
        return lines + StackText.notes(notes, style)
    }

    /// A way, one step a line.
    static func lines(of way: [Holder], to object: InstancesAnswer.Entry) -> [String] {
        guard !way.isEmpty else { return [] }
        return way.map { holder in
            "  \(holder.by)  \(holder.title)".escaped
                + (holder.place.map { ", at \($0.escaped)" } ?? "")
        } + ["  #\(object.handle) \(object.type)".escaped]
    }
}

extension HoldersAnswer.Holder {
    /// `#8 Album`.
    var title: String { (handle.map { "#\($0) " } ?? "") + name }

    /// `weak, no holder`.
    var by: String {
        let word = keeps ? kind : kind == "weak" ? "weak, no holder" : "unowned, no holder"
        return isUncertain == true ? word + "?" : word
    }
}
#endif
