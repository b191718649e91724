#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem
import TelltaleValues

/// The options of `show` and `get` for reading and presenting a value.
struct ReadingOptions {
    var depth: Int?
    var limit: Int?
    var snapshot = false
    /// The word to search for in the value; `nil` for the value itself.
    var match: String?
    /// The properties of the elements that form a table; `nil` for no table.
    var fields: [String]?
    /// True to form a table of all properties of the elements.
    var isTable = false
    /// The details of the value's memory to report in addition.
    var asked: MemoryReading.Asked = []
    /// True to show objects that lead back without their parts.
    var isBrief = false
}

extension PathReading {
    /// Reads the requested value, in the requested form.
    func answer(
        _ text: String, _ options: ReadingOptions
    ) throws(CommandFailure) -> ValueAnswer {
        let isSpecial = options.match != nil || options.fields != nil || options.isTable
        guard options.asked.isEmpty || !isSpecial else {
            throw CommandFailure(
                .usage,
                "--memory and --bytes are of one value: not with --match, --fields or --table")
        }
        if let word = options.match { return try matches(of: word, in: text, options) }
        guard isSpecial else {
            var limits = context.agent.readLimits(
                until: context.deadline, depth: options.depth, elements: options.limit)
            limits.asked = options.asked
            limits.isBrief = options.isBrief
            return try read(text, limits: limits, snapshot: options.snapshot)
        }
        return try table(of: options.fields ?? [], text, options)
    }

    // MARK: Tables

    private static let mostFields = 64

    private func table(
        of fields: [String], _ text: String, _ options: ReadingOptions
    ) throws(CommandFailure) -> ValueAnswer {
        guard fields.count <= Self.mostFields else {
            throw CommandFailure(.usage, "a table has at most \(Self.mostFields) fields")
        }
        var columns: [[ValuePath.Component]] = []
        for field in fields { columns.append(try ValuePath(parsing: field).fieldSteps) }
        let deepest = columns.map(\.count).max() ?? 1
        var limits = context.agent.readLimits(
            until: context.deadline, depth: max(options.depth ?? 0, deepest + 1),
            elements: options.limit)
        limits.repeats = true
        var answer = try read(text, limits: limits, snapshot: options.snapshot)
        let rows = answer.value.rows
        for (field, steps) in zip(fields, columns)
        where !rows.isEmpty && rows.allSatisfy({ $0.part(at: steps) == nil }) {
            let names = ValueTableForm.columns(of: rows)
            throw CommandFailure(
                .notFound,
                "no element of \(text.escaped(limit: 100)) has \(field.escaped(limit: 100))",
                hint: NearestNames.question(field, among: names)
                    ?? (names.isEmpty ? nil : "there are \(names.listed(12))"))
        }
        answer.table = ValueTableForm(
            columns: fields.isEmpty ? ValueTableForm.columns(of: rows) : fields)
        return answer
    }

    // MARK: Matches

    /// The depth of a search without `--depth`.
    private static let deepestMatch = 16
    /// The maximum number of elements searched in each collection.
    private static let mostElements = 100_000
    /// The maximum size of the tree that is searched, which takes about as much memory until the search ends.
    private static let mostBytes = 24 << 20
    private static let usualMatches = 100
    private static let mostMatches = 10_000

    /// A moment slightly before the deadline of the answer.
    private var searchEnd: MonotonicTime {
        let left = context.deadline.remaining
        return MonotonicTime.now.advanced(by: left - left / 8)
    }

    private func matches(
        of word: String, in text: String, _ options: ReadingOptions
    ) throws(CommandFailure) -> ValueAnswer {
        guard !word.isEmpty, word.utf8.count <= 1000 else {
            throw CommandFailure(.usage, "--match needs a word of 1 to 1,000 bytes")
        }
        var limits = context.agent.readLimits(
            until: context.deadline, depth: options.depth ?? Self.deepestMatch,
            elements: Self.mostElements)
        limits.bytes = min(limits.bytes, Self.mostBytes)
        var answer = try read(text, limits: limits, snapshot: options.snapshot)
        let limit = min(max(options.limit ?? Self.usualMatches, 0), Self.mostMatches)
        let search = ValueSearch(
            word: word, root: text, most: limit, until: searchEnd)
        if case .packed(let tree as ReadTree) = answer.content {
            answer.matches = search.matches(in: tree)
            answer.value = tree.bareHead
        } else {
            answer.matches = search.matches(in: answer.value)
            answer.value.children = []
        }
        answer.value.cut = nil
        return answer
    }
}
#endif
