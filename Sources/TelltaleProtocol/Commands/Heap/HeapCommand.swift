#if TELLTALE_COMPILED
/// `heap`: the objects on the heap, by class.
package enum HeapCommand: Command {
    package struct Parameters: JSONCodable {
        /// The number of classes listed; `nil` for 20.
        package var top: Int?
        /// Keeps this count, so that later ones are compared with it.
        package var mark: Bool?
        /// Lists the changes since the mark, or since the count before.
        package var diff: Bool?
    }

    package typealias Answer = HeapAnswer

    package static let description = CommandDescription(
        "heap [--top N] [--mark] [--diff]", "what is on the heap: classes by count and bytes",
        detail: """
            Every block of the C library's allocator is counted, and nothing is stopped: instances
            by class, arrays, strings, what closures have captured, tasks; all else by size.
            --top N    how many classes are listed; 20 without it
            --mark     keeps this count: `heap --diff` compares with it from then on
            --diff     what has grown or shrunk since the mark, or since the last `heap`
            """, example: "heap --top 10")

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        let parameters = Parameters(
            top: try arguments.count("--top"), mark: arguments.flag("--mark"),
            diff: arguments.flag("--diff"))
        if parameters.mark == true, parameters.diff == true {
            throw usage("heap takes --mark or --diff, not both")
        }
        return parameters
    }
}

/// The answer to `heap`.
public struct HeapAnswer: CommandAnswer {
    package static let kind = "heap"

    /// All objects of one class.
    public struct Entry: Codable, Sendable, Equatable {
        /// `Photo`; `[Photo]` for an array's storage, the captured types for a closure's captures.
        public var type: String
        /// `class`, `array`, `dictionary`, `set`, `string`, `captures`, `box`, `task` or `dispatch`.
        public var kind: String
        /// The number of instances.
        public var count: Int
        /// The bytes of their blocks, with the allocator's headers.
        public var bytes: UInt64
        /// The growth in instances since the earlier count; below 0 if there are fewer.
        public var countGrowth: Int?
        /// The growth in bytes since the earlier count.
        public var bytesGrowth: Int?

        package init(type: String, kind: String, count: Int, bytes: UInt64) {
            self.type = type
            self.kind = kind
            self.count = count
            self.bytes = bytes
        }
    }

    /// Blocks that are not Swift objects, of like sizes.
    public struct SizeClass: Codable, Sendable, Equatable {
        /// They have fewer bytes than this, with the allocator's header; nil for the largest.
        public var below: UInt64?
        /// The number of instances.
        public var count: Int
        /// Their bytes.
        public var bytes: UInt64

        package init(below: UInt64?, count: Int, bytes: UInt64) {
            self.below = below
            self.count = count
            self.bytes = bytes
        }
    }

    /// The count that this one is compared with.
    public struct Earlier: Codable, Sendable, Equatable {
        /// It was marked.
        public var isMark: Bool
        /// The age of the earlier count, in seconds.
        public var seconds: Double
        /// Its objects.
        public var objects: Int
        /// The bytes of their blocks.
        public var objectBytes: UInt64

        package init(isMark: Bool, seconds: Double, objects: Int, objectBytes: UInt64) {
            self.isMark = isMark
            self.seconds = seconds
            self.objects = objects
            self.objectBytes = objectBytes
        }
    }

    /// The classes with the most bytes; with an earlier count those that changed the most.
    public var entries: [Entry] = []
    /// The number of classes left out.
    public var omitted = 0
    /// All objects.
    public var objects = 0
    /// The bytes of their blocks.
    public var objectBytes: UInt64 = 0
    /// All other blocks, by size.
    public var others: [SizeClass] = []
    /// The count that this one is compared with.
    public var since: Earlier?
    /// It was kept as the mark.
    public var isMark: Bool?
    /// The duration of the count, in microseconds.
    public var microseconds = 0
    /// Parts that are not available, with the reason.
    public var notes: [String] = []

    package init() {}

    package func lines(_ style: TextStyle) -> [String] {
        var lines: [String] = []
        if let since {
            let what = since.isMark ? "since the mark" : "since the count before"
            lines.append("\(what), \(Quantity.time(seconds: since.seconds)) ago:")
        }
        if isMark != true { lines += table(style) }
        lines.append(summary)
        lines += otherLines
        if isMark == true { lines.append("marked: `heap --diff` compares with this count") }
        return lines + StackText.notes(notes, style)
    }

    package func table(_ style: TextStyle) -> [String] {
        guard !entries.isEmpty else {
            return [since == nil ? "no objects" : "no class has changed"]
        }
        var columns: [TextTable.Column] = [
            .init("class", widest: 60), .init("kind"), .init("count", isNumber: true),
            .init("bytes", isNumber: true),
        ]
        if since != nil {
            columns.insert(.init("grown", isNumber: true), at: 3)
            columns.append(.init("grown", isNumber: true))
        }
        var table = TextTable(columns)
        for entry in entries {
            var cells = [
                entry.type, entry.kind, Quantity.count(entry.count),
                Quantity.bytes(entry.bytes, .field),
            ]
            if since != nil {
                cells.insert(Self.growth(entry.countGrowth ?? 0, Quantity.count), at: 3)
                cells.append(
                    Self.growth(entry.bytesGrowth ?? 0) { Quantity.bytes($0.magnitude, .field) })
            }
            table.add(cells)
        }
        var lines = table.rendered(style)
        if omitted > 0 {
            lines.append(Quantity.more(omitted, by: "--top \(entries.count &+ omitted)"))
        }
        return lines
    }

    /// `+12`, `-3`.
    private static func growth(_ value: Int, _ text: (Int) -> String) -> String {
        guard value != 0 else { return "0" }
        return (value > 0 ? "+" : "-") + text(value.magnitude > Int.max ? .max : abs(value))
    }

    /// `150,746 objects in 8.1 MiB`.
    package var summary: String {
        "\(Quantity.count(objects, "object", "objects")) in \(Quantity.bytes(objectBytes))"
    }

    /// `blocks without a Swift object: 1,204 below 64 B, 12 of 1 MiB and more (14 MiB)`.
    private var otherLines: [String] {
        guard !others.isEmpty else { return [] }
        let parts = others.map { part in
            let size = part.below.map { "below \(Quantity.bytes($0))" } ?? "larger"
            return "\(Quantity.count(part.count)) \(size) (\(Quantity.bytes(part.bytes)))"
        }
        return ["blocks without a Swift object: " + parts.joined(separator: ", ")]
    }
}
#endif
