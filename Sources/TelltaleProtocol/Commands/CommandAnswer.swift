#if TELLTALE_COMPILED
/// The answer of a command: a value, sent over the wire as its fields with a `kind` beside them.
///
/// It contains no text that its renderer can make.
package protocol CommandAnswer: JSONCodable {
    /// The `kind` of the type on the wire.
    static var kind: String { get }

    /// Renders the answer; the code that writes a line makes it safe for a terminal.
    func lines(_ style: TextStyle) -> [String]

    /// Notes beside a text that is a value alone: for the stream of errors, or after the text if there is one
    /// stream.
    var remarks: [String] { get }

    /// The exit status of a client that was started for this one command.
    var exitStatus: ExitStatus { get }

    /// The answer as text for people; nothing of the host in it can steer a terminal. It ends
    /// without a newline.
    func rendered(_ style: TextStyle) -> String

    /// The result of a response that is mostly written as it is sent; `nil` for a small one, or one
    /// that comes from elsewhere.
    var packedResult: PackedResult? { get }
}

extension CommandAnswer {
    package var kind: String { Self.kind }

    package var exitStatus: ExitStatus { .done }

    package var remarks: [String] { [] }

    package func lines() -> [String] { lines(TextStyle()) }

    package func rendered() -> String { rendered(TextStyle()) }

    package func rendered(_ style: TextStyle) -> String {
        style.fitted(lines(style).map(TerminalEscape.line)).joined(separator: "\n")
    }

    package var packedResult: PackedResult? { nil }

    /// The answer as the result of a response.
    ///
    /// - Throws: `EncodingError` for a number that JSON can't say.
    package func result() throws -> JSONValue {
        guard case .object(let members) = try json() else { return .null }
        return .object([JSONMember("kind", .string(Self.kind))] + members)
    }

    /// Reads the result of a response.
    ///
    /// - Throws: A failure of the protocol for another kind of answer, and with the place of a part
    ///   that does not fit.
    package init(result: JSONValue) throws(CommandFailure) {
        guard case .string(let kind)? = result["kind"] else {
            throw CommandFailure(.protocolError, "the answer has no kind")
        }
        guard kind == Self.kind else {
            throw CommandFailure(
                .protocolError,
                "an answer of kind '\(kind)' is not known to this version, which expects "
                    + "'\(Self.kind)'")
        }
        do {
            self = try Self(json: result)
        } catch {
            throw CommandFailure(decoding: error, "the answer")
        }
    }
}

/// An answer whose lines come ahead of it, and can be written into a file by the client.
package protocol StreamedAnswer: CommandAnswer {
    /// The lines; without those that came ahead, in an answer as it comes over the wire.
    var lines: [String] { get set }
    /// The file the client wrote them to.
    var file: String? { get set }
    /// The command that shows it again: `dump d7`.
    var again: String { get }
}

extension StreamedAnswer {
    /// On a terminal too, each line is the log's line, with its beginning.
    package func rendered(_ style: TextStyle) -> String {
        lines(style).map(TerminalEscape.line).joined(separator: "\n")
    }
}

/// The client's exit status. Docs/Probes.md has the table.
public enum ExitStatus: Int32, Sendable, CaseIterable {
    /// Done; truncated and masked answers also count as success.
    case done = 0
    /// The command failed.
    case failed = 1
    /// Wrong usage.
    case usage = 2
    /// No such agent, or it can't be reached.
    case unreachable = 3
    /// Read-only mode, or another user.
    case denied = 4
    /// No answer in time, or not enough of one.
    case late = 5
    /// Something requested by name is missing from the answer.
    case missing = 6
    /// Something is stuck.
    case stuck = 7
}
#endif
