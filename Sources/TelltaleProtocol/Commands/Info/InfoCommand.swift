#if TELLTALE_COMPILED
/// `info`: details about the process and the agent.
package enum InfoCommand: Command {
    package struct Parameters: JSONCodable {
        /// Asks for a list of the open descriptors.
        package var files: Bool?
    }

    package typealias Answer = InfoAnswer

    package static let description = CommandDescription(
        "info [--files]", "details about the process and the agent",
        detail: """
            Arguments, folder, build, memory, descriptors, limits, signals, the socket, the agent's
            counters; the names of the environment's variables, with values for the agent's own alone.
            --files    each open descriptor: its kind, the file, or the socket's ends
            """,
        example: "info --files")

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters { Parameters(files: arguments.flag("--files")) }
}

/// The answer to `info`: details about the process and the agent, in named sections.
public struct InfoAnswer: CommandAnswer {
    package static let kind = "info"

    /// A section, such as `process` or `agent`.
    public struct Section: Codable, Sendable, Equatable {
        /// The section's name.
        public var name: String
        /// Its rows, in the order in which they are shown.
        public var rows: [Row]

        package init(name: String, rows: [Row]) {
            self.name = name
            self.rows = rows
        }
    }

    /// A detail.
    public struct Row: Codable, Sendable, Equatable {
        /// The name of the detail.
        public var key: String
        /// The text of the detail.
        public var value: String

        package init(_ key: String, _ value: String) {
            self.key = key
            self.value = value
        }
    }

    /// The sections.
    public var sections: [Section]

    package init(sections: [Section]) { self.sections = sections }

    package func lines(_ style: TextStyle) -> [String] {
        // One column for all sections, so that the values are aligned.
        let keys = sections.flatMap(\.rows).map { $0.key.escaped.columns }.max() ?? 0
        var lines: [String] = []
        for section in sections {
            if !lines.isEmpty { lines.append("") }
            lines.append(style.painted(section.name.escaped.uppercased(), .bold))
            for row in section.rows {
                let key = row.key.escaped
                lines += style.wrapped(
                    ["  \(key.filled(to: keys))  \(row.value.escaped)"], indent: keys + 4)
            }
        }
        return lines
    }
}
#endif
