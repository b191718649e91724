#if TELLTALE_COMPILED
/// `quit`: ends a session, and is never asked of an agent.
package enum QuitCommand: Command {
    package typealias Answer = Never

    package static let description = CommandDescription(
        "quit", "end the session",
        detail: """
            Nothing changes in the service.
            """, aliases: ["exit"], endsSession: true)
}

extension Never: CommandAnswer {
    package static var kind: String { "nothing" }

    package func lines(_ style: TextStyle) -> [String] { switch self {} }
}
#endif
