#if TELLTALE_COMPILED
/// `watch stuck`: switches the hang watch on and off.
package enum WatchCommand: Command {
    package static let stuck = "stuck"

    package struct Parameters: JSONCodable {
        /// What is watched: `stuck`.
        package var what: String
        /// How long nothing may move before a dump is written, in seconds; nil for the
        /// configuration's.
        package var everySeconds: Double?
        package var off: Bool?
    }

    package typealias Answer = ControlAnswer

    package static let description = CommandDescription(
        "watch stuck [--every TIME], watch stuck off",
        "a dump when nothing has moved for a while",
        detail: """
            Switches the hang watch on: a registered owner that makes no progress for TIME (such
            as 5s or 500ms) gets one dump that begins with what `stuck` says; then it holds off.
            It goes on when this client has gone, until `watch stuck off`.
            """,
        example: "watch stuck --every 5s")

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        let every = try arguments.time("--every")
        let what = try arguments.word("what is to be watched: `watch stuck`")
        guard what == stuck else { throw usage("'\(what)' can't be watched; `stuck` can") }
        let off = arguments.optionalWord()
        if let off, off != "off" { throw usage("'\(off)' is too much for watch") }
        return Parameters(what: what, everySeconds: every, off: off == nil ? nil : true)
    }

    package static func completion(after words: [String]) -> CompletionPlace {
        if words.isEmpty { return .words([stuck]) }
        return words.count == 1 ? .words(["off"]) : .nothing
    }

    // The watch of another process would be switched.
    package static func isHarmless(_ parameters: Parameters) -> Bool { false }
}
#endif
