#if TELLTALE_COMPILED
// What the arguments of several commands are.
extension CommandArguments {
    /// Takes a queue: its label, the end of it, or its address, as it was typed.
    mutating func queue() throws(CommandFailure) -> String {
        try word("the label of a queue; `queues` lists them")
    }

    /// Takes an option whose value is a time from 10 ms to a day, in seconds: `5s`, `500ms`, `2m`,
    /// or seconds without a unit. Nil where the option doesn't stand there.
    mutating func time(_ name: String) throws(CommandFailure) -> Double? {
        guard let text = try option(name, needs: "a time, such as 5s") else { return nil }
        guard let seconds = TypedTime.seconds(text), (0.01...86_400).contains(seconds) else {
            throw command.usage(
                "\(name) of \(command.name) needs a time from 10ms to 24h, and '\(text)' is none"
            )
        }
        return seconds
    }
}
#endif
