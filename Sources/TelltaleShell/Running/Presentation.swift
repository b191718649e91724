package import TelltaleProtocol
import TelltaleSystem

/// The presentation of answers: as text in a style, or as JSON.
package struct Presentation: Sendable {
    package var json: Bool
    /// Indicates that each document is written as it comes, on a line of its own.
    package var jsonLines = false
    package var style: TextStyle
    package var errorStyle: TextStyle
}

extension Presentation {
    /// Follows the options and the kinds of the streams.
    package init(options: Options, environment: (String) -> String?) {
        func style(_ descriptor: Int32) -> TextStyle {
            let isTerminal = TerminalFacts.isTerminal(descriptor)
            let isPlain =
                environment("NO_COLOR").map { !$0.isEmpty } ?? false
                || environment("TERM") == "dumb"
            let color =
                switch options.color {
                case .always: true
                case .never: false
                case .auto: isTerminal && !isPlain
                }
            return TextStyle(
                color: color,
                width: isTerminal ? TerminalFacts.size(of: descriptor)?.columns : nil)
        }
        self.init(
            json: options.json, jsonLines: options.jsonLines, style: style(1), errorStyle: style(2))
    }

    /// Indicates that answers are drawn on a terminal.
    package var isOnTerminal: Bool { !json && style.width != nil }

    /// Takes the terminals' widths as they are now: they may have been resized since the last answer.
    package mutating func followTerminal() {
        if style.width != nil, let size = TerminalFacts.size(of: 1) { style.width = size.columns }
        if errorStyle.width != nil, let size = TerminalFacts.size(of: 2) {
            errorStyle.width = size.columns
        }
    }

    /// Makes a JSON document of a value that is not an agent's answer.
    package static func document(kind: String, _ value: some Encodable) -> JSONValue {
        document(of: {
            guard case .object(let members) = try JSONValueEncoder.encode(value) else {
                return .null
            }
            return AnswerDocument.make(kind: kind, members)
        })
    }

    package static func document(_ answer: any CommandAnswer) -> JSONValue {
        document(of: { try answer.document() })
    }

    private static func document(of value: () throws -> JSONValue) -> JSONValue {
        do {
            return try value()
        } catch {
            return document(CommandFailure(.internal, "the answer can't be written: \(error)"))
        }
    }

    /// A failure as a JSON document, with the line of a script that failed.
    package static func document(_ failure: CommandFailure, line: Int? = nil) -> JSONValue {
        var members: [JSONMember] = [
            .init("code", .string(failure.code.rawValue)),
            .init("message", .string(failure.message)),
        ]
        if let hint = failure.hint { members.append(.init("hint", .string(hint))) }
        members.append(.init("exitStatus", .integer(Int64(failure.exitStatus.rawValue))))
        if let line { members.append(.init("line", .integer(Int64(line)))) }
        return AnswerDocument.make(kind: "error", [.init("error", .object(members))])
    }

    /// Returns the text of an outcome, with its line end; `nil` if there is nothing to write.
    package func text(of outcome: CommandOutcome) -> TerminalText? {
        guard case .answer(let answer) = outcome else { return nil }
        return json ? Self.document(answer).line : TerminalText(answer, style)
    }

    /// Notes about an outcome for the stream of errors: scripts read a value alone from its text.
    package func remarks(of outcome: CommandOutcome) -> [String] {
        guard !json, case .answer(let answer) = outcome else { return [] }
        return answer.remarks
    }
}

extension JSONValue {
    /// The document on a line of its own.
    var line: TerminalText { TerminalText(json: self) + TerminalText(own: "\n") }
}
