#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Comparison {
    /// The maximum number of tasks that are looked at.
    private static let mostTasks = 10_000
    private static let mostCallers = 3

    private struct Call: Hashable {
        var function: String
        var file: String?
        var line: Int?

        var words: String {
            function + (StackText.place(file, line).map { " " + $0 } ?? "")
        }
    }

    /// The calls by which the tasks of a finding came to the function in which they wait.
    ///
    /// - Parameter party: Several tasks at one place.
    /// - Returns: The commonest calls first; `nil` if all tasks came by the same.
    func callers(of party: StuckAnswer.Party) -> [StuckAnswer.Callers]? {
        guard party.subject.kind == .task, party.count ?? 1 > 1, party.state == .continuation else {
            return nil
        }
        var paths: [[Call]: Int] = [:]
        for (frames, count) in framesOfWaitingTasks {
            if let calls = calls(of: frames, leadingTo: party) { paths[calls, default: 0] += count }
        }
        guard paths.count > 1 else { return nil }
        return paths.sorted { ($1.value, $0.key.count) < ($0.value, $1.key.count) }
            .prefix(Self.mostCallers).map { calls, count in
                let passed = passed(by: calls, among: paths)
                return StuckAnswer.Callers(
                    count: count, calls: calls.prefix(4).map(\.words),
                    passed: passed?.call.words, waitingThere: passed?.count)
            }
    }

    private var framesOfWaitingTasks: [[RawFrame]: Int] {
        var found: [[RawFrame]: Int] = [:]
        for task in later.tasks.prefix(Self.mostTasks)
        where task.waitsFor == .continuation && unmovedTasks.contains(task.address) {
            found[task.frames, default: 0] += 1
        }
        return found
    }

    /// The service's functions that called the one in which a party waits; `nil` if it doesn't wait there.
    private func calls(of frames: [RawFrame], leadingTo party: StuckAnswer.Party) -> [Call]? {
        let names = frames.flatMap { later.names[$0.address] ?? [] }
        guard let own = names.hostFrame, own.title == party.function, own.line == party.line,
            let index = names.firstIndex(where: { $0.title == own.title && $0.line == own.line })
        else { return nil }
        return names[(index + 1)...].filter { $0.isHosts && $0.origin != .thunk }.compactMap {
            frame in
            guard let title = frame.title, title != own.title, !title.hasPrefix("closure ") else {
                return nil
            }
            return Call(function: title, file: frame.sourceFile, line: frame.line)
        }
    }

    /// A call of the awaited function that tasks have behind them: another task waits in it, in an earlier line of a
    /// function that theirs has called further on.
    private func passed(by calls: [Call], among paths: [[Call]: Int]) -> (call: Call, count: Int)? {
        for call in calls.dropFirst() {
            for (other, count) in paths {
                guard let first = other.first, first.function == call.function,
                    first.file == call.file, let line = first.line, let reached = call.line,
                    line < reached
                else { continue }
                return (first, count)
            }
        }
        return nil
    }
}
#endif
