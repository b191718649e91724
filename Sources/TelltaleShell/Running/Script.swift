import TelltaleClient
import TelltaleProtocol
package import TelltaleSystem

/// Commands from standard input, one a line; nothing is echoed.
///
/// The first command that fails ends it, with the line's number and that command's exit status. What
/// `stuck` finds ends nothing, since its stacks are asked for next; it is the exit status at the end. As
/// JSON the answers are the elements of one array, each written as soon as it is there; or lines.
package struct Script {
    let runner: CommandRunner
    let connection: AgentConnection
    let presentation: Presentation
    let output: any ShellOutput
    private(set) var elements = 0
    /// The presentation of the current line, which may ask for JSON by itself.
    private(set) var asked: Presentation? = nil

    /// Runs every line. The exit status is that of the first command that did not end with 0.
    package mutating func run(_ reader: DescriptorReader) -> Int32 {
        var reader = reader
        var number = 0
        var status = ExitStatus.done
        var finding = ExitStatus.done
        do throws(CommandFailure) {
            if isArray { try output.show(TerminalText(own: "[")) }
            while status == .done, let line = try next(&reader) {
                number += 1
                var part = SessionLine.Part(command: line)
                asked = presentation.asked(part.takeJSON())
                guard let outcome = try run(part.command) else { continue }
                if case .quit = outcome { break }
                if outcome.exitStatus == .stuck {
                    finding = .stuck
                } else {
                    status = outcome.exitStatus
                }
                try show(outcome)
            }
        } catch {
            status = error.exitStatus
            fail(error, line: number)
        }
        if isArray {
            try? output.show(TerminalText(own: elements == 0 ? "]\n" : "\n]\n"))
        }
        return (status == .done ? finding : status).rawValue
    }

    private var isArray: Bool { presentation.json && !presentation.jsonLines }

    private func next(_ reader: inout DescriptorReader) throws(CommandFailure) -> String? {
        do throws(DescriptorReader.Failure) {
            guard let bytes = try reader.next() else { return nil }
            if let line = String(validating: bytes, as: UTF8.self) {
                return line.hasSuffix("\r") ? String(line.dropLast()) : line
            }
        } catch {
            switch error {
            case .system(let error):
                throw CommandFailure(.hostError, "standard input can't be read: \(error)")
            case .tooLong(let limit):
                throw CommandFailure(
                    .bound, "a line of the script is longer than \(Quantity.bytes(limit))")
            }
        }
        throw CommandFailure(
            .usage, "a line of the script is not valid UTF-8", hint: "write the script in UTF-8")
    }

    private func run(_ line: String) throws(CommandFailure) -> CommandOutcome? {
        guard let request = try CommandLineParser.parse(line) else { return nil }
        return try runner.run(
            (asked ?? presentation).sent(request), on: connection,
            to: AnswerSink(
                documents: asked?.jsonLines == true
                    ? { [output] in try? output.show($0.line) } : nil))
    }

    private mutating func show(_ outcome: CommandOutcome) throws(CommandFailure) {
        if presentation.json, case .answer(let answer) = outcome {
            try output.show(element(Presentation.document(answer)))
            return
        }
        let presentation = asked ?? presentation
        if let text = presentation.text(of: outcome) {
            try output.show(text)
            presentation.remarks(of: outcome).forEach(output.warn)
        }
    }

    private mutating func fail(_ failure: CommandFailure, line: Int) {
        if presentation.json {
            try? output.show(element(Presentation.document(failure, line: line)))
        } else if asked?.json == true {
            try? output.show(Presentation.document(failure, line: line).line)
        } else {
            var failure = failure
            failure.message = "line \(line): \(failure.message)"
            let rest = "the lines after it are not run"
            failure.hint = failure.hint.map { "\($0)\n\(rest)" } ?? rest
            output.writeError(TerminalText(failure, presentation.errorStyle))
        }
    }

    private mutating func element(_ document: JSONValue) -> TerminalText {
        if presentation.jsonLines { return document.line }
        defer { elements += 1 }
        return TerminalText(own: elements == 0 ? "\n" : ",\n") + TerminalText(json: document)
    }
}
