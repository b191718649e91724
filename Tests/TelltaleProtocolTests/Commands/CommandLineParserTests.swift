import Testing

@testable import TelltaleProtocol

/// The request on the wire for a line.
private struct Sent: Equatable {
    var method: String
    var parameters: JSONValue
}

extension Sent {
    init(_ request: Request) { self.init(method: request.method, parameters: request.parameters) }

    init?(_ line: String) throws {
        guard let request = try CommandLineParser.parse(line) else { return nil }
        self.init(request)
    }
}

@Suite("Command lines")
struct CommandLineParserTests {
    private func encoded(_ parameters: some Encodable) throws -> JSONValue {
        try JSONValueEncoder.encode(parameters)
    }

    @Test(
        "an empty line and a comment ask for nothing",
        arguments: ["", "  \t ", "# a comment", "#comment", "#"])
    func nothing(line: String) throws { #expect(try Sent(line) == nil) }

    @Test(
        "commands without arguments",
        arguments: [
            ("objects", "objects"), (" actions ", "actions"), ("queues", "queues"),
            ("threads", "threads"), ("stack", "stack"), ("bt", "stack"), ("tasks", "tasks"),
            ("actors", "actors"), ("groups", "groups"), ("semaphores", "semaphores"),
            ("timers", "timers"), ("operations", "operations"), ("stuck", "stuck"),
            ("status", "status"), ("info\t", "info"), ("changes", "changes"), ("quit", "quit"),
            ("exit", "quit"),
        ])
    func bare(line: String, method: String) throws {
        #expect(
            try Sent(line)
                == Sent(method: method, parameters: encoded(NoParameters())))
    }

    @Test(
        "a path alone is shown",
        arguments: [
            ("photos", "photos"), ("show photos", "photos"), ("po photos.items", "photos.items"),
            ("#7", "#7"), ("show #7.title", "#7.title"),
            ("cache[\"a b\"].x", "cache[\"a b\"].x"),
            ("show cache[\"a = b (\"]", "cache[\"a = b (\"]"),
            ("photos.items[0 ..< 3]", "photos.items[0 ..< 3]"),
            ("`my cache`.count", "`my cache`.count"),
            ("cache[\"say \\\"x y\\\"\"]", "cache[\"say \\\"x y\\\"\"]"),
            ("cache[\"a=b\"]", "cache[\"a=b\"]"),
            ("photos.items[3", "photos.items[3"),
        ])
    func path(line: String, path: String) throws {
        #expect(
            try Sent(line)
                == Sent(method: "show", parameters: encoded(ShowCommand.Parameters(path: path))))
    }

    @Test(
        "options of show stand anywhere, also after a path without the command's name",
        arguments: [
            "show photos --depth 2 --limit 5 --snapshot --describe",
            "show --limit=5 --snapshot --describe --depth=2 photos",
            "po --depth 1 --depth 2 --limit 5 photos --describe --snapshot",
            "photos --depth 2 --limit 5 --snapshot --describe",
            "photos --depth=2 --limit=5 --snapshot --describe",
        ])
    func options(line: String) throws {
        #expect(
            try Sent(line)
                == Sent(
                    method: "show",
                    parameters: encoded(
                        ShowCommand.Parameters(
                            path: "photos", depth: 2, limit: 5, snapshot: true, describe: true))))
    }

    @Test("get takes a path", arguments: ["get photos.items.count", "p photos.items.count"])
    func get(line: String) throws {
        #expect(
            try Sent(line)
                == Sent(
                    method: "get",
                    parameters: encoded(GetCommand.Parameters(path: "photos.items.count"))))
    }

    @Test("get takes how much of a value it is")
    func getWithLimits() throws {
        #expect(
            try Sent("get photos.items --limit 100000 --depth=2")
                == Sent(
                    method: "get",
                    parameters: encoded(
                        GetCommand.Parameters(path: "photos.items", depth: 2, limit: 100_000))))
    }

    @Test(
        "set takes the rest of the line as it stands",
        arguments: [
            ("set photos.prompt WOOT!", "photos.prompt", "WOOT!"),
            ("set photos.prompt  a  b \"c\" ", "photos.prompt", "a  b \"c\""),
            ("set photos.prompt = \"x\"", "photos.prompt", "\"x\""),
            ("set n -5", "n", "-5"),
            ("set cache[\"a b\"] [\"x\": 1]", "cache[\"a b\"]", "[\"x\": 1]"),
            ("photos.prompt = \"WOOT!\"", "photos.prompt", "\"WOOT!\""),
            ("photos.prompt=nil", "photos.prompt", "nil"),
            ("cache[\"a = b\"] = 1", "cache[\"a = b\"]", "1"),
            ("`a = b` = c == d", "`a = b`", "c == d"),
            ("#7.title = \"(x)\"", "#7.title", "\"(x)\""),
            ("photos.prompt = a = b", "photos.prompt", "a = b"),
            ("photos.state = .failed(code: 3)", "photos.state", ".failed(code: 3)"),
            ("photos.prompt = --depth", "photos.prompt", "--depth"),
        ])
    func set(line: String, path: String, value: String) throws {
        #expect(
            try Sent(line)
                == Sent(
                    method: "set",
                    parameters: encoded(SetCommand.Parameters(path: path, value: value))))
    }

    @Test(
        "a call takes what stands between its parentheses as it stands",
        arguments: [
            ("call refresh()", "refresh", ""), ("call refresh", "refresh", ""),
            ("photos.add(\"a (b\", 3)", "photos.add", "\"a (b\", 3"),
            ("call photos.add( {\"a\": [1, 2]} )", "photos.add", "{\"a\": [1, 2]}"),
            ("photos.add(x = (1))", "photos.add", "x = (1)"),
            ("`my action`(1)", "`my action`", "1"),
        ])
    func call(line: String, action: String, arguments: String) throws {
        #expect(
            try Sent(line)
                == Sent(
                    method: "call",
                    parameters: encoded(
                        CallCommand.Parameters(action: action, arguments: arguments))))
    }

    @Test(
        "dump takes an id and a file",
        arguments: [
            ("dump", nil, nil), ("dump d7", 7, nil), ("dump 7", 7, nil),
            ("dump --output a.txt", nil, "a.txt"), ("dump d7 -o \"a b.txt\"", 7, "a b.txt"),
            ("dump --output=/tmp/x 12", 12, "/tmp/x"),
        ] as [(String, Int?, String?)])
    func dump(line: String, id: Int?, output: String?) throws {
        #expect(
            try Sent(line)
                == Sent(
                    method: "dump",
                    parameters: encoded(DumpCommand.Parameters(id: id, output: output))))
    }

    @Test(
        "stack takes ids of threads, main and all",
        arguments: [
            ("stack 4251 4252", StackCommand.Parameters(threads: [4251, 4252])),
            ("bt main", StackCommand.Parameters(main: true)),
            ("stack all", StackCommand.Parameters(all: true)),
            ("stack --all --full", StackCommand.Parameters(all: true, full: true)),
            ("stack --full main 7", StackCommand.Parameters(threads: [7], main: true, full: true)),
        ])
    func stack(line: String, parameters: StackCommand.Parameters) throws {
        #expect(
            try Sent(line)
                == Sent(method: "stack", parameters: encoded(parameters)))
    }

    @Test("queues are named by their labels, also with spaces, and by their addresses")
    func queues() throws {
        #expect(
            try Sent("queue \"my queue\" --limit 3")
                == Sent(
                    method: "queue",
                    parameters: encoded(QueueCommand.Parameters(name: "my queue", limit: 3))))
        #expect(
            try Sent("resume 0x7f00")
                == Sent(
                    method: "resume", parameters: encoded(HeldQueueParameters(queue: "0x7f00"))))
        for (line, seconds) in [
            ("suspend 0x7f00", nil), ("suspend 0x7f00 --for 1s", 1),
            ("suspend --for=10m 0x7f00", 600.0),
        ] {
            #expect(
                try Sent(line)
                    == Sent(
                        method: "suspend",
                        parameters: encoded(
                            SuspendCommand.Parameters(queue: "0x7f00", forSeconds: seconds))))
        }
        #expect(
            try Sent("queues --all")
                == Sent(method: "queues", parameters: encoded(AllParameters(all: true))))
        #expect(
            try Sent("tasks --all")
                == Sent(method: "tasks", parameters: encoded(TasksCommand.Parameters(all: true))))
        #expect(
            try Sent("tasks --full")
                == Sent(method: "tasks", parameters: encoded(TasksCommand.Parameters(full: true))))
        #expect(
            try Sent("threads --all")
                == Sent(method: "threads", parameters: encoded(AllParameters(all: true))))
        for method in ["groups", "semaphores", "timers", "actors"] {
            #expect(
                try Sent("\(method) --all")
                    == Sent(method: method, parameters: encoded(AllParameters(all: true))))
        }
    }

    @Test(
        "cancel says what kind of thing it is",
        arguments: [
            ("cancel task 12", CancelCommand.Parameters(kind: .task, id: "12")),
            ("cancel task #12", CancelCommand.Parameters(kind: .task, id: "12")),
            (
                "cancel operation \"thumbnail 7\"",
                CancelCommand.Parameters(kind: .operation, id: "thumbnail 7")
            ),
            (
                "cancel item com.telltale.photos 0x7f40",
                CancelCommand.Parameters(kind: .item, id: "0x7f40", queue: "com.telltale.photos")
            ),
        ])
    func cancel(line: String, parameters: CancelCommand.Parameters) throws {
        #expect(
            try Sent(line)
                == Sent(method: "cancel", parameters: encoded(parameters)))
    }

    @Test(
        "the hang watch is switched on, with a time in any unit, and off",
        arguments: [
            ("watch stuck", WatchCommand.Parameters(what: "stuck")),
            ("watch stuck --every 5s", WatchCommand.Parameters(what: "stuck", everySeconds: 5)),
            (
                "watch stuck --every=500ms",
                WatchCommand.Parameters(what: "stuck", everySeconds: 0.5)
            ),
            ("watch --every 2m stuck", WatchCommand.Parameters(what: "stuck", everySeconds: 120)),
            ("watch stuck --every 7", WatchCommand.Parameters(what: "stuck", everySeconds: 7)),
            ("watch stuck off", WatchCommand.Parameters(what: "stuck", off: true)),
        ])
    func watch(line: String, parameters: WatchCommand.Parameters) throws {
        #expect(
            try Sent(line)
                == Sent(method: "watch", parameters: encoded(parameters)))
    }

    @Test("undo and help take one word")
    func oneWord() throws {
        #expect(
            try Sent("undo --preview")
                == Sent(method: "undo", parameters: encoded(UndoCommand.Parameters(preview: true))))
        #expect(
            try Sent("undo 3")
                == Sent(method: "undo", parameters: encoded(UndoCommand.Parameters(number: 3))))
        #expect(
            try Sent("help")
                == Sent(method: "help", parameters: encoded(HelpCommand.Parameters())))
        #expect(
            try Sent("? po")
                == Sent(method: "help", parameters: encoded(HelpCommand.Parameters(command: "po"))))
    }

    @Test("a shell's words are a line: nothing of a value is lost but the number of spaces")
    func words() throws {
        func parsed(_ words: String...) throws -> Sent? {
            try CommandLineParser.parse(words: words).map(Sent.init)
        }
        let woot = Sent(
            method: "set",
            parameters: try encoded(SetCommand.Parameters(path: "photos.prompt", value: "WOOT!")))
        #expect(try parsed("set", "photos.prompt", "WOOT!") == woot)
        #expect(try parsed("photos.prompt", "=", "WOOT!") == woot)
        #expect(try parsed("set photos.prompt WOOT!") == woot)
        #expect(
            try parsed("photos.prompt", "=", "\"a b\"")
                == Sent(
                    method: "set",
                    parameters: encoded(
                        SetCommand.Parameters(path: "photos.prompt", value: "\"a b\""))))
        #expect(
            try parsed("photos.add(\"a\",", "3)")
                == Sent(
                    method: "call",
                    parameters: encoded(
                        CallCommand.Parameters(action: "photos.add", arguments: "\"a\", 3"))
                ))
        #expect(
            try parsed("dump", "--output", "a \"b.txt")
                == Sent(
                    method: "dump", parameters: encoded(DumpCommand.Parameters(output: "a \"b.txt"))
                )
        )
        #expect(
            try parsed("get", "cache[\"a b\"]")
                == Sent(
                    method: "get",
                    parameters: encoded(GetCommand.Parameters(path: "cache[\"a b\"]"))))
        #expect(try parsed() == nil)
        #expect(try parsed("", " ") == nil)
    }

    @Test("the examples of all commands are lines that parse, as what they are examples of")
    func examples() throws {
        for command in CommandTable.all {
            let request = try CommandLineParser.parse(command.example)
            #expect(request?.method == command.name, "\(command.example)")
        }
    }
}
