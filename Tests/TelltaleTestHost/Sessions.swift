import Dispatch
import Synchronization
import TelltaleAgent

/// A server's work for each of its sessions: an object on a queue of its own is registered under a
/// name of its own, with an action and a property, and is released when the session ends.
enum Sessions {
    private static let alive = Atomic(0)

    /// Lives as long as the queue that it is put on.
    private final class Sign: Sendable {
        init() { Sessions.alive.add(1, ordering: .relaxed) }
        deinit { Sessions.alive.subtract(1, ordering: .relaxed) }
    }

    private final class Session: @unchecked Sendable {
        private static let key = DispatchSpecificKey<Sign>()
        let queue: DispatchQueue
        // Guarded by the queue.
        var requests = 0

        init(_ number: Int) {
            queue = DispatchQueue(label: "session.\(number)")
            queue.setSpecific(key: Self.key, value: Sign())
        }

        func reset() { requests = 0 }
    }

    /// Begins and ends so many sessions, which take their names back or don't; or says how many of their
    /// queues are there.
    static func perform(_ words: [String]) -> String? {
        guard words.first == "sessions", words.count >= 2 else { return nil }
        guard let count = Int(words[1]) else { return "\(alive.load(ordering: .relaxed))" }
        for number in 0..<count { run(number, endsItself: words.last == "ended") }
        return "ended"
    }

    private static func run(_ number: Int, endsItself: Bool) {
        let session = Session(number)
        let name = "session.\(number)"
        let registrations = [
            Telltale.register(session, as: name, on: session.queue),
            Telltale.property("load", of: session) { $0.requests * 2 },
            Telltale.action("\(name).reset", of: session, Session.reset),
            Telltale.register("\(name).requests", on: session.queue) { [weak session] in
                session?.requests
            },
        ]
        session.queue.sync { session.requests += 1 }
        // A closure that is not withdrawn is there for good.
        registrations[3].end()
        if endsItself { for registration in registrations { registration.end() } }
    }
}
