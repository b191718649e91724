#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

extension HeapCommand: AgentCommand {
    /// The number of classes that are listed by default.
    private static let top = 20
    /// The maximum number of listed classes.
    private static let mostTop = 10_000

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let census = try HeapCensus.counted(until: context.answerDeadline)
        let rows = census.rows
        let marks = context.agent.heapMarks
        let earlier = parameters.diff == true ? marks.earlier : nil
        if parameters.diff == true, earlier == nil {
            throw CommandFailure(
                .notFound, "there is no earlier count of the heap to compare with",
                hint: "run `heap` now and `heap --diff` later")
        }
        marks.keep(census, rows, isMark: parameters.mark == true)
        var answer = HeapAnswer(census)
        answer.isMark = parameters.mark == true ? true : nil
        guard answer.isMark == nil else { return answer }
        let top = min(max(parameters.top ?? Self.top, 1), Self.mostTop)
        if let earlier {
            answer.compare(census, rows, with: earlier, top: top)
        } else {
            answer.list(census, rows, top: top)
        }
        return answer
    }
}

extension HeapAnswer {
    init(_ census: HeapCensus) {
        self.init()
        objects = census.objects
        objectBytes = census.objectBytes
        others = census.others.map {
            SizeClass(below: $0.below, count: $0.count, bytes: $0.bytes)
        }
        microseconds = census.microseconds
        notes = census.gaps
    }

    /// Lists the classes with the most bytes. The agent's own are left out, and the rest is counted.
    mutating func list(_ census: HeapCensus, _ rows: [HeapCensus.Row], top: Int) {
        let names = HeapNames(census)
        var left = rows[...]
        while entries.count < top, let row = left.popFirst() {
            guard let name = names.name(of: row), !name.isAgents else { continue }
            entries.append(
                Entry(type: name.text, kind: name.kind, count: row.count, bytes: row.bytes))
        }
        omitted = left.count
    }

    mutating func compare(
        _ census: HeapCensus, _ rows: [HeapCensus.Row], with earlier: HeapMarks.Earlier, top: Int
    ) {
        since = Earlier(
            isMark: earlier.isMark, seconds: MonotonicTime.now.since(earlier.date).seconds,
            objects: earlier.objects, objectBytes: earlier.objectBytes)
        let names = HeapNames(census)
        var changed: [(row: HeapCensus.Row, count: Int, bytes: Int)] = []
        var gone = earlier.classes
        for row in rows {
            let before = gone.removeValue(forKey: row.word)
            let count = row.count - (before?.count ?? 0)
            let bytes = Int(clamping: row.bytes) - Int(clamping: before?.bytes ?? 0)
            if count != 0 || bytes != 0 { changed.append((row, count, bytes)) }
        }
        for (word, before) in gone {
            changed.append(
                (
                    HeapCensus.Row(word: word, kind: census.kind(of: word), count: 0, bytes: 0),
                    -before.count, -Int(clamping: before.bytes)
                ))
        }
        changed.sort {
            ($1.bytes.magnitude, $1.row.word) < ($0.bytes.magnitude, $0.row.word)
        }
        var left = changed[...]
        while entries.count < top, let change = left.popFirst() {
            guard let name = names.name(of: change.row), !name.isAgents else { continue }
            var entry = Entry(
                type: name.text, kind: name.kind, count: change.row.count, bytes: change.row.bytes)
            entry.countGrowth = change.count
            entry.bytesGrowth = change.bytes
            entries.append(entry)
        }
        omitted = left.count
    }
}
#endif
