import TelltaleTestSupport
import Testing

@testable import TelltaleProtocol

@Suite("The text says nothing that the JSON has not")
struct TextAndWireTests {
    /// Addresses, numbers of tasks, functions, and places in the source.
    private static func facts(of text: String) -> Set<String> {
        var facts: Set<String> = []
        for match in text.matches(of: /0x[0-9a-f]+|#[0-9]+|[A-Za-z_.]+\([a-zA-Z_:]*\)/) {
            facts.insert(String(match.output))
        }
        for match in text.matches(of: /([A-Za-z]+\.swift):([0-9]+)/) {
            facts.insert(String(match.1) + "\"")
            facts.insert("\"line\":\(match.2)")
        }
        for match in text.matches(of: /threads? ([0-9]+)/) { facts.insert(String(match.1)) }
        for match in text.matches(of: /([0-9,]+) (?:items?|tasks?|queues?|captures?)\b/) {
            facts.insert(match.1.filter { $0 != "," })
        }
        return facts
    }

    @Test("each name, number and place of a screen is in the answer", arguments: texts.indices)
    func facts(index: Int) throws {
        let (answer, text) = Self.texts[index]
        let line = RPCResponse(id: .integer(1), answer: answer).line
        // Words that stand in the text alone are no facts of the service.
        let ours: Set = ["resume()", "suspend()", "activate()", "enter()", "leave()"]
        for fact in Self.facts(of: text).subtracting(ours) {
            // A task's number has a member of its own.
            let member = "\"id\":\(fact.dropFirst()),"
            #expect(
                line.contains(fact) || line.contains(member),
                "\(fact) of \(text) is not in \(line)")
        }
    }

    @Test("what is read of an answer's JSON is the same screen", arguments: texts.indices)
    func screens(index: Int) throws {
        let (answer, text) = Self.texts[index]
        let line = RPCResponse(id: .integer(1), answer: answer).line
        let read = try AnyAnswer.read(RPCResponse(parsing: Array(line.utf8)).result.get())
        #expect(read.rendered(TextStyle()) == text)
    }

    static let texts: [(answer: any CommandAnswer, text: String)] = {
        let answers: [any CommandAnswer] =
            SampleAnswers.all + [lostTasks, stripped, agents, queueOfAgents]
        return answers.map { ($0, $0.rendered(TextStyle())) }
    }()

    private static let lostTasks: StuckAnswer = {
        var task = StuckAnswer.Party(
            .init(.task, "task #14 fetch"), on: .init(.actor, "actor Store"), .continuation)
        task.count = 48
        task.waitsIn = "NIOCore next()"
        task.function = "Server.serve(_:)"
        task.isForeign = true
        var reader = StuckAnswer.Party(
            .init(.task, "task #15"), .waits(for: .init(.task, "task #14 fetch"), nil))
        reader.count = 2
        var answer = StuckAnswer(
            verdict: .blocked,
            findings: [.init(.notResumed, seconds: 12, parties: [task, reader])],
            captures: 2, milliseconds: 80)
        answer.blocked = StuckAnswer.Blocked()
        answer.blocked?.tasks = 2
        return answer
    }()

    private static let stripped = StackAnswer(
        groups: [
            StackAnswer.Group(
                threads: [SampleAnswers.main],
                frames: [StackFrame(module: "photos", address: "0x401f40", offset: "0x1f40")])
        ], microseconds: 1)

    private static let agents = {
        var entry = SemaphoresAnswer.Entry(address: "0x7f6000", value: -2, original: 0)
        entry.waiters = [4251, 4252]
        entry.agentThreads = [4252]
        return SemaphoresAnswer(semaphores: [entry])
    }()

    private static let queueOfAgents = {
        var entry = QueuesAnswer.Entry(label: "photos", kind: "serial", qos: "default")
        entry.state = "running"
        entry.thread = 4252
        entry.isAgent = true
        return QueueAnswer(
            queue: entry,
            items: [
                QueueAnswer.Item(index: 0, kind: "sync", waiter: 4253, isAgent: true),
                QueueAnswer.Item(index: 1, kind: "function", isAgent: true),
            ])
    }()

    @Test("what is the agent's own is marked")
    func marks() {
        #expect(Self.agents.lines()[1].contains("threads 4251 4252 (the agent's)"))
        let queue = Self.queueOfAgents.lines().joined(separator: "\n")
        #expect(queue.contains("running, held by thread 4252 (the agent's)"), "\(queue)")
        #expect(queue.contains("thread 4253 (the agent's) waits"), "\(queue)")
        #expect(queue.contains("1  function  -         -      the agent's"), "\(queue)")
        #expect(
            QueuesAnswer(queues: [Self.queueOfAgents.queue]).lines()[1].contains(
                "4252 (the agent's)"))
        var agent = SampleAnswers.drainer
        agent.isAgent = true
        #expect(
            StackText.heading([SampleAnswers.main, agent]).hasPrefix(
                "2 threads: 4242 (main) 4251 (the agent's)  "))
        let actors = ActorsAnswer(actors: [
            ActorsAnswer.Entry(
                type: "Store", address: "0x1", state: "running", thread: 7, isAgent: true)
        ])
        #expect(actors.lines()[1].contains("running on thread 7 (the agent's)"))
    }
}
