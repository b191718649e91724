#if TELLTALE_COMPILED
extension Answer {
    /// The answer as text for people; nothing of the host in it can steer a terminal.
    ///
    /// - Parameter style: The colour and width to use.
    /// - Returns: The text, without a newline at its end.
    /// - Complexity: Linear in the size of the answer.
    public func rendered(_ style: TextStyle = .init()) -> String {
        lines(style).map(TerminalEscape.line).joined(separator: "\n")
    }

    private func lines(_ style: TextStyle) -> [String] {
        switch self {
        case .hello(let answer): [answer.line(style)]
        case .objects(let answer): answer.lines(style)
        case .value(let answer): answer.lines(style)
        case .plain(let answer): [PlainValue(style: style).text(of: answer.value)]
        case .change(let answer): answer.lines(style)
        case .changes(let answer): answer.lines(style)
        case .call(let answer): answer.lines(style)
        case .actions(let answer): answer.lines(style)
        case .queues(let answer): answer.lines(style)
        case .threads(let answer): answer.lines(style)
        case .stack(let answer): answer.lines(style)
        case .queue(let answer): answer.lines(style)
        case .groups(let answer): answer.lines(style)
        case .semaphores(let answer): answer.lines(style)
        case .timers(let answer): answer.lines(style)
        case .operations(let answer): answer.lines(style)
        case .tasks(let answer): answer.lines(style)
        case .actors(let answer): answer.lines(style)
        case .stuck(let answer): answer.lines(style)
        case .control(let answer): answer.lines(style)
        case .status(let answer): [answer.line(style)]
        case .info(let answer): answer.lines(style)
        case .dump(let answer):
            answer.lines + (answer.file.map { ["written to \($0)"] } ?? [])
        case .help(let answer): answer.lines
        case .completion(let answer): answer.candidates + (answer.isCut ? ["… more"] : [])
        }
    }
}
#endif
