#if TELLTALE_COMPILED
extension StuckAnswer {
    /// Unread input of an event loop, for one kind of descriptor.
    public struct Unread: Codable, Sendable, Equatable {
        /// `event`, `timer`, `signal`, `socket`, `connection` (a listening socket), `pipe` or
        /// `other`; or `task`, for tasks submitted to the loop that only its own memory holds.
        public var kind: String
        /// The number of such descriptors with unread input, or the number of tasks.
        public var descriptors: Int
        /// Their events, firings or bytes together; `nil` if that is not reported.
        public var unread: Int?

        package init(kind: String, descriptors: Int, unread: Int?) {
            self.kind = kind
            self.descriptors = descriptors
            self.unread = unread
        }
    }
}

extension StuckAnswer.Unread {
    /// `2 sockets (512 B unread)`, `1 event counter (at 5)`.
    fileprivate var words: String {
        func say(_ one: String, _ many: String) -> String {
            Quantity.count(descriptors, one, many)
        }
        switch kind {
        case "event":
            return say("event counter", "event counters")
                + (unread.map { " (at \(Quantity.count($0)))" } ?? "")
        case "task": return say("task to be run", "tasks to be run")
        case "timer": return say("timer", "timers") + " (due)"
        case "signal": return say("signal descriptor", "signal descriptors")
        case "connection":
            return say("listening socket", "listening sockets") + " (with connections)"
        case "socket", "pipe":
            let name = kind == "socket" ? say("socket", "sockets") : say("pipe", "pipes")
            guard let unread, unread > 0 else { return name }
            return name + " (\(Quantity.bytes(unread)) unread)"
        default: return say("other", "others")
        }
    }
}

extension StuckAnswer.Finding {
    /// `event loop NIO-ELT-0-#1 doesn't turn: thread 12 waits for …; 3 descriptors are ready`.
    func loopTitle(ready: Int) -> String {
        let thread = parties.dropFirst().first
        let who =
            thread.map { thread in
                let blocked = thread.isMany ? "are blocked" : "is blocked"
                return thread.name + (thread.isMany ? ", " : " ") + (thread.relation ?? blocked)
            } ?? "its thread is blocked"
        return "\(parties.first?.subject.name ?? "an event loop") doesn't turn: \(who); "
            + (ready == 0
                ? "none of its descriptors is ready"
                : Quantity.count(ready, "descriptor is ready", "descriptors are ready"))
            + (tasksToRun.flatMap {
                $0 > 0 ? ", " + Quantity.count($0, "task waits", "tasks wait") : nil
            }
                ?? "")
    }

    /// The number of tasks submitted to the loop; `nil` if unknown.
    private var tasksToRun: Int? {
        guard case .eventLoop(_, _, let unread) = parties.first?.state else { return nil }
        return unread.first { $0.kind == "task" }?.descriptors
    }

    var loopNote: String {
        switch evidence {
        case .eventLoopBlocked(0):
            guard let tasksToRun else {
                return "what only its own memory holds for it can't be seen"
            }
            return tasksToRun == 0
                ? "nothing waits for it"
                : "nothing that it was given is run until the function below returns"
        case .eventLoopBlocked(1):
            return "nothing that comes to this descriptor is served until the function below "
                + "returns"
        default:
            return "nothing that comes to these descriptors is served until the function below "
                + "returns"
        }
    }
}

extension StuckAnswer.State {
    static func loopWords(_ ready: Int, _ members: Int?, _ unread: [StuckAnswer.Unread]) -> String {
        let of = members.map { $0 >= ready ? " of \(Quantity.count($0))" : "" } ?? ""
        let what = unread.isEmpty ? "" : ": " + unread.map(\.words).joined(separator: ", ")
        return Quantity.count(ready) + of + " ready" + what
    }
}

extension StuckAnswer.Remark {
    /// A loop that is seen away from its wait and isn't accused.
    func loopSentence(_ words: String) -> String {
        let name = party.on?.name ?? "an event loop"
        if reason == .busyLoop { return "\(name) is busy: \(party.subject.name) \(words)" }
        return
            "\(name) waits in a handler: \(party.subject.name) \(words); none of its descriptors "
            + "is ready, and what only its own memory holds can't be seen"
    }
}

// States that look stuck and are not, in sentences.

extension StuckAnswer.Remark {
    /// A line under NOT IT.
    var sentence: String {
        let name = party.subject.name
        let place = party.on?.name ?? name
        let function = party.function.map { function in
            " in \(function)"
                + (StackText.place(party.file, party.line).map { " \($0)" } ?? "")
        }
        let words = (party.relation ?? "") + (function ?? "")
        switch reason {
        case .nothingWaits:
            return "\(name) is suspended (the service called suspend), and nothing waits for it"
        case .busy: return "\(place) is busy: \(name) \(words)"
        case .holdsNobodyUp:
            return "\(name) on \(place) \(words); nothing waits for it"
                + (hope.map { ", and \($0.words) could still wake it" } ?? "")
        case .busyLoop, .blockedLoop: return loopSentence(words)
        case nil: return "\(name) \(words)"
        }
    }
}
#endif
