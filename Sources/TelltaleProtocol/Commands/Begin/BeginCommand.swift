#if TELLTALE_COMPILED
/// `begin`: collects changes that are made as one.
package enum BeginCommand: Command {
    package typealias Answer = ControlAnswer

    package static let description = CommandDescription(
        "begin", "start a transaction: collect changes, made as one by `commit`",
        detail: """
            What `set` would change from here on is checked against what stands there now and kept,
            until `commit` makes all of it in one turn of the owner that it has in common: all or
            nothing. `rollback` forgets it, and so does the end of the connection; so it is for a session
            or a script, and refused as a single command.
            """,
        effect: .changes, endsWithConnection: true)
}
#endif
