#if TELLTALE_COMPILED
/// Stacks as people know them from `jstack`: a line for the threads, a line for each frame.
package enum StackText {
    /// No function's name pushes the places of the others further to the right than this.
    private static let widestFunction = 64
    private static let namedThreads = 12

    /// Returns the source location, `PhotoManager.swift:91`: the file's name without its folders;
    /// `nil` without a file.
    package static func place(_ file: String?, _ line: Int?) -> String? {
        guard let file, !file.isEmpty else { return nil }
        let slash = file.lastIndex(of: "/").map(file.index(after:)) ?? file.startIndex
        let name = slash < file.endIndex ? String(file[slash...]) : file
        return line.map { "\(name):\($0)" } ?? name
    }

    /// The frames of a stack, a line each, numbered from 0.
    ///
    /// - Parameters:
    ///   - frames: Innermost first.
    ///   - gap: The reason that there are none, or that they end early; on a line of its own.
    ///   - limit: The maximum number of frames shown; the number of further ones is shown too.
    ///     `nil` shows all.
    ///   - isBrief: Leaves out the frames of the system above the first one with a line, except the
    ///     first and the last, which show the wait, and those between two with a line.
    ///   - indent: The text before each line.
    ///   - style: The colour and width to use; a function's name that is too long takes several lines.
    /// - Returns: The lines.
    package static func lines(
        of frames: [StackFrame], gap: String? = nil, limit: Int? = nil, isBrief: Bool = false,
        indent: String = "", style: TextStyle = TextStyle()
    ) -> [String] {
        let indices = shown(of: frames, limit: limit, isBrief: isBrief)
        let rows = indices.map { index in
            (
                index: index,
                function: frames[index].title.escaped,
                end: end(of: frames[index])
            )
        }
        // Number and gaps take 7 columns. A place that is cut tells less than a function's name.
        let room = style.width.map { width in
            let place = rows.reduce(0) { max($0, $1.end.columns) }
            return max(24, max(0, width) &- (indent.columns + 9) &- min(place, 1 << 20))
        }
        let widest = rows.reduce(0) { max($0, $1.function.columns) }
        let column = min(widest, room ?? widestFunction)
        var lines: [String] = []
        var expected = 0
        for row in rows {
            if row.index > expected {
                let count = Quantity.count(row.index - expected, "frame", "frames")
                lines.append("\(indent)      … \(count)")
            }
            expected = row.index + 1
            let parts = room.map { row.function.wrapped(to: $0, indent: 2) } ?? [row.function]
            let number = String(row.index)
            var start = indent + String(repeating: " ", count: max(0, 4 - number.count))
            start += number + "  "
            for (part, function) in parts.enumerated() {
                var line = part == 0 ? start : String(repeating: " ", count: start.columns)
                line += style.painted(function, frames[row.index].line == nil ? nil : .bold)
                // The place is where the eye looks for it: beside the name's beginning.
                if part == 0, !row.end.isEmpty {
                    line += String(repeating: " ", count: max(0, column - function.columns))
                    line += "  " + row.end
                }
                lines.append(line)
            }
        }
        if expected < frames.count {
            let more = Quantity.count(frames.count - expected, "more frame", "more frames")
            lines.append("\(indent)      … \(more)")
        }
        if let gap { lines.append("\(indent)      (\(gap.escaped))") }
        return lines
    }

    private static func shown(
        of frames: [StackFrame], limit: Int?, isBrief: Bool
    ) -> ArraySlice<Int> {
        let all = Array(frames.indices)
        let limit = max(0, limit ?? all.count)
        let own = all.filter { frames[$0].line != nil }
        guard isBrief, let first = own.first else { return all.prefix(limit) }
        var shown = first > 2 ? [0, first - 1] : Array(all[..<first])
        for (index, next) in zip(own, own.dropFirst() + [frames.count]) {
            shown.append(index)
            // One frame takes no more room than the line that counts it.
            let isBetween = next < frames.count && next - index > 2
            if !isBetween { shown += (index + 1)..<next }
        }
        return shown.prefix(limit)
    }

    /// `PhotoManager.swift:91 (inlined)`; the module without a line.
    private static func end(of frame: StackFrame) -> String {
        var words: [String] = []
        if let place = place(frame.file, frame.line) {
            words.append(place)
        } else if let module = frame.module, !module.isEmpty, frame.function != nil {
            words.append("in \(module)")
        }
        if frame.isInlined { words.append("(inlined)") }
        if frame.isAsync { words.append("(async)") }
        return words.joined(separator: " ").escaped
    }

    /// `thread 4251 "worker"  waiting in futex  on queue com.telltale.photos`, or for several
    /// `3 threads: 4251 4252 4260  waiting in futex  on queue com.telltale.photos`.
    package static func heading(
        _ threads: [ThreadEntry], style: TextStyle = TextStyle()
    ) -> String {
        var words: [String] = []
        if threads.count == 1, let thread = threads.first {
            words.append("thread \(thread.id) \"\(thread.name.escaped)\"\(thread.mark)")
        } else {
            let ids = threads.prefix(namedThreads).map { "\($0.id)\($0.mark)" }
            let more = threads.count - ids.count
            words.append(
                Quantity.count(threads.count, "thread", "threads") + ": "
                    + ids.joined(separator: " ")
                    + (more > 0 ? " … \(Quantity.count(more)) more" : ""))
        }
        var line = style.painted(words.joined(), .bold)
        for said in [
            each(threads.map(\.stateText)),
            each(threads.map { $0.queue.map { "on queue \($0)" } }),
            each(threads.map { $0.task.map { "task \($0)" } }), each(threads.map(\.note)),
        ] where !said.isEmpty {
            line += "  " + said
        }
        return line
    }

    /// Joins the words: a word that all share appears once; of different words, the first few.
    private static func each(_ words: [String?]) -> String {
        var seen: [String] = []
        for word in words {
            guard let word, !word.isEmpty, !seen.contains(word) else { continue }
            if seen.count == 3 { return (seen + ["…"]).joined(separator: ", ").escaped }
            seen.append(word)
        }
        return seen.joined(separator: ", ").escaped
    }

    /// Lines for the parts that are not available, one each.
    package static func notes(_ notes: [String], _ style: TextStyle) -> [String] {
        style.wrapped(notes.map { "note: " + $0.escaped }, indent: 6)
            .map { style.painted($0, .dim) }
    }
}
#endif
