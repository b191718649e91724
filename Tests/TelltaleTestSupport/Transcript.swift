/// A session in the documentation: its input, and the output.
package struct Transcript {
    /// A step: one typed line.
    package struct Step {
        /// A line for the shell, or for the session that the step before it has opened.
        package var command: String
        /// Indicates that it is typed into a session with an agent.
        package var isInSession: Bool
        /// The shown answer.
        package var answer: [String]
    }

    /// The typed lines, in order.
    package private(set) var steps: [Step] = []
    /// The fault that the service was started with; nil for one that is well.
    package private(set) var fault: String?
    /// The other start options.
    package private(set) var options: [String] = []

    private static let mark = "<!-- replayed"

    /// The transcripts of a page: each fenced block that follows a line `<!-- replayed -->`, or
    /// `<!-- replayed --fault NAME -->`, behind which may stand more of the service's options.
    ///
    /// - Parameter page: A page of Markdown.
    /// - Returns: The transcripts.
    package static func all(in page: String) -> [Transcript] {
        var found: [Transcript] = []
        var lines = page.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let line = lines.popFirst() {
            guard line.hasPrefix(mark), lines.popFirst() == "```console" else { continue }
            let block = lines.prefix { $0 != "```" }
            var transcript = Transcript(block.map(String.init))
            var words = line.split(separator: " ").map(String.init)
            if let option = words.firstIndex(of: "--fault"), option + 1 < words.count {
                transcript.fault = words[option + 1]
                words.removeSubrange(option...(option + 1))
            }
            transcript.options = words.filter { $0 != "<!--" && $0 != "replayed" && $0 != "-->" }
            found.append(transcript)
            lines = lines.dropFirst(block.count)
        }
        return found
    }

    private init(_ lines: [String]) {
        for line in lines {
            if line.hasPrefix("$ ") {
                steps.append(
                    Step(command: String(line.dropFirst(2)), isInSession: false, answer: []))
            } else if let prompt = line.firstRange(of: ")> "), line.contains("(4242)> ") {
                steps.append(
                    Step(
                        command: String(line[prompt.upperBound...]), isInSession: true, answer: []))
            } else if let last = steps.indices.last {
                steps[last].answer.append(line)
            }
        }
    }

    /// Returns the first difference between an answer and the one that is shown.
    ///
    /// Times, sizes, addresses, handles, ids of threads and the user's name may differ, and columns may
    /// be wider. A line `...` stands for any number of lines; every other character must be the same.
    ///
    /// - Parameters:
    ///   - answer: The actual answer.
    ///   - shown: The answer on the page.
    ///   - pid: Stands where the page has 4242.
    /// - Returns: `nil` without a difference; otherwise the line of `shown` that was not found.
    package static func difference(of answer: [String], from shown: [String], pid: Int32) -> String?
    {
        var rest = answer[...]
        var maySkip = false
        // A reader of the answer has dropped the empty lines.
        for line in shown where !line.isEmpty {
            if line == "..." {
                maySkip = true
                continue
            }
            let wanted = Self.general(line.replacing("4242", with: "\(pid)"))
            guard let place = rest.firstIndex(where: { Self.general($0) == wanted }),
                maySkip || place == rest.startIndex
            else { return line }
            rest = rest[(place + 1)...]
            maySkip = false
        }
        return maySkip || rest.isEmpty ? nil : "(nothing more, where '\(rest.first ?? "")' came)"
    }

    /// Replaces the variable parts of a line by words.
    private static func general(_ line: String) -> String {
        var line = line
        line.replace(/0x[0-9a-f]+/, with: "ADDRESS")
        line.replace(/\d{4}-\d\d-\d\dT[0-9:.]+Z/, with: "TIME")
        line.replace(/\b\d\d:\d\d:\d\dZ/, with: "TIME")
        // The other blocked work depends on the running time of the service.
        line.replace(/^BLOCKED BY IT +.*/, with: "BLOCKED BY IT SO MUCH")
        line.replace(/\b(thread|stack)( \d+)+/, with: { "\($0.output.1) ID" })
        line.replace(/#\d+/, with: "#HANDLE")
        line.replace(/\b(\d+d)?(\d+h)?(\d+m)?\d+(\.\d+)? ?(ns|us|µs|ms|s|m|h|d)\b/, with: "SPAN")
        line.replace(/\b\d+(\.\d+)?[KMG]\b/, with: "SIZE")
        line.replace(#/^(\d+ +\S+) +\S+ /#, with: { "\($0.output.1) USER " })
        line.replace(#/ +/#, with: " ")
        return line.hasSuffix(" ") ? String(line.dropLast()) : line
    }
}
