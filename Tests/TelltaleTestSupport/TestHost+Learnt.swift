/// The start of an agent: on objects and a thread of its own it learns how the runtimes keep
/// theirs. That takes some milliseconds, and a command meanwhile reports after 100 ms that its data
/// isn't available.
private enum Learning {
    static let commands = [["queues", "--all"], ["threads"], ["tasks"]]

    /// Asks until nothing is missing.
    static func wait(_ ask: ([String]) throws -> (status: Int32, text: String)) throws {
        for command in commands {
            var answer = (status: Int32(0), text: "")
            try waitUntil("`\(command[0])` lacks nothing in \(answer)", seconds: 20) {
                answer = try ask(command)
                return answer.status == 0 && !answer.text.contains("available")
                    && !answer.text.contains("still being tried")
            }
        }
    }
}

extension TestHost {
    /// Waits until the agent knows how the runtimes keep their queues, threads and tasks.
    ///
    /// - Throws: ``Overdue`` with the missing part 20 s later.
    package func waitUntilLearnt() throws {
        try Learning.wait {
            let outcome = try telltale(["\(pid)"] + $0)
            return (outcome.status, outcome.output + outcome.errors)
        }
    }
}

extension PhotoService {
    /// Waits until the agent knows how the runtimes keep their queues, threads and tasks.
    ///
    /// - Throws: ``Overdue`` with the missing part 20 s later.
    package func waitUntilLearnt() throws {
        try Learning.wait {
            let outcome = try shell("telltale photo-manager \($0.joined(separator: " "))")
            return (outcome.status, outcome.text)
        }
    }
}
