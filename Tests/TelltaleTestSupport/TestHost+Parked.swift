extension TestHost {
    /// A thread, or a task, that the host has parked.
    package struct Parked: Sendable {
        /// A function of the host's own, and the line of the call that it is in.
        package struct Call: Sendable, Equatable {
            package var function: String
            package var line: Int
        }

        /// `read`, or `sync-holder` for the one who has what those of `sync` wait for.
        package var kind: String
        package var isOptimised: Bool
        /// The kernel's id; nil for a suspended task.
        package var thread: Int32?
        /// Innermost first.
        package var chain: [Call]

        init?(_ line: String) {
            var fields: [Substring: Substring] = [:]
            for word in line.split(separator: " ").dropFirst() {
                guard let end = word.firstIndex(of: "=") else { return nil }
                fields[word[..<end]] = word[word.index(after: end)...]
            }
            guard let kind = fields["kind"], let code = fields["code"],
                let thread = fields["thread"].flatMap({ Int32($0) }), let chain = fields["chain"]
            else { return nil }
            self.kind = String(kind)
            isOptimised = code == "optimised"
            self.thread = thread == 0 ? nil : thread
            self.chain = chain.split(separator: ",").compactMap { call in
                let parts = call.split(separator: ":")
                guard parts.count == 2, let line = Int(parts[1]) else { return nil }
                return Call(function: String(parts[0]), line: line)
            }
        }
    }

    /// Parks threads or tasks, and waits until each is where it stays.
    ///
    /// - Parameters:
    ///   - kind: `read`, `poll`, `epoll`, `usleep`, `condition`, `semaphore`, `sync`, `nslock`, `mutex`,
    ///     `inlined`, `deep`, `task`, `actor`, `task-blocked`, or `all` of these.
    ///   - count: How many of each; of `task-blocked` as many as the pool has threads to spare.
    ///   - optimised: In code of `-O`.
    /// - Returns: One for each, and first the one who has what they wait for.
    /// - Throws: ``Failure`` where they aren't.
    package func park(
        _ kind: String, count: Int = 1, optimised: Bool = false
    ) throws -> [Parked] {
        try parked("park \(kind) \(count)\(optimised ? " optimised" : "")")
    }

    /// Has threads spin, until `spin-stop` is performed.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - calling: Whether they call functions all the time, or stay in one.
    ///   - optimised: In code of `-O`.
    /// - Returns: One for each.
    /// - Throws: ``Failure`` where they don't.
    package func spin(
        _ count: Int, calling: Bool = false, optimised: Bool = false
    ) throws -> [Parked] {
        try parked("\(calling ? "spin-calls" : "spin") \(count)\(optimised ? " optimised" : "")")
    }

    private func parked(_ command: String) throws -> [Parked] {
        let lines = try lines(of: command, beginning: "PARKED ")
        guard lines.last == "ready \(lines.count - 1)" else {
            throw Failure(description: "'\(command)' gave \(lines)")
        }
        return lines.dropLast().compactMap(Parked.init)
    }
}
