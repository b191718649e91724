#if TELLTALE_COMPILED
// The commands that find what does not move, and that watch for it.
extension CommandDescription {
    static let stuck = CommandDescription(
        "stuck", syntax: "stuck", summary: "what is stuck, who holds it, and where",
        detail: """
            Looks twice, a moment apart, and up to twice more where something seems not to move,
            so that it takes 0.2 to 5 s. It names the queue, its head item, the thread that holds
            it, and where that is; a cycle is a deadlock, with each party.
            Exit status 7 where something is stuck, so that a liveness probe can use it.
            """,
        example: "stuck")

    static let watch = CommandDescription(
        "watch", syntax: "watch stuck [--every TIME], watch stuck off",
        summary: "a dump when nothing has moved for a while",
        detail: """
            Switches the hang watch on: a registered owner that makes no progress for TIME (such
            as 5s or 500ms) gets one dump that begins with what `stuck` says; then it holds off.
            It goes on when this client has gone, until `watch stuck off`.
            """,
        example: "watch stuck --every 5s"
    ) { (arguments) throws(CommandFailure) in
        let every = try arguments.time("--every")
        let what = try arguments.word("what is to be watched: `watch stuck`")
        guard what == "stuck" else {
            throw arguments.command.usage("'\(what)' can't be watched; `stuck` can")
        }
        let off = arguments.optionalWord()
        if let off, off != "off" {
            throw arguments.command.usage("'\(off)' is too much for watch")
        }
        try arguments.end()
        return WatchParameters(what: what, everySeconds: every, off: off == nil ? nil : true)
    }
}

extension CommandArguments {
    /// Takes an option whose value is a time: `5s`, `500ms`, `2m`, or seconds without a unit.
    ///
    /// - Parameter name: The option: `--every`.
    /// - Returns: The time in seconds; nil where the option doesn't stand there.
    /// - Throws: `.usage` where it is no time from 10 ms to a day.
    fileprivate mutating func time(_ name: String) throws(CommandFailure) -> Double? {
        guard let text = try option(name, needs: "a time, such as 5s") else { return nil }
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3_600)]
        let unit = units.first { text.hasSuffix($0.0) } ?? ("", 1)
        let digits = text.dropLast(unit.0.count)
        // `Double` also reads `0x1p4`, `inf` and `nan`, which nobody means here.
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }),
            let number = Double(digits), (0.01...86_400).contains(number * unit.1)
        else {
            throw command.usage(
                "\(name) of \(command.name) needs a time from 10ms to 24h, and '\(text)' is none"
            )
        }
        return number * unit.1
    }
}
#endif
