import Testing

@testable import TelltaleProtocol

@Suite("Command lines")
struct CommandLineParserTests {
    private func encoded(_ parameters: some Encodable) throws -> JSONValue {
        try JSONValueEncoder.encode(parameters)
    }

    @Test(
        "an empty line and a comment ask for nothing",
        arguments: ["", "  \t ", "# a comment", "#comment", "#"])
    func nothing(line: String) throws { #expect(try CommandLineParser.parse(line) == nil) }

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
            try CommandLineParser.parse(line)
                == Request(method: method, parameters: encoded(NoParameters())))
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
            try CommandLineParser.parse(line)
                == Request(method: "show", parameters: encoded(ShowParameters(path: path))))
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
            try CommandLineParser.parse(line)
                == Request(
                    method: "show",
                    parameters: encoded(
                        ShowParameters(
                            path: "photos", depth: 2, limit: 5, snapshot: true, describe: true))))
    }

    @Test("get takes a path", arguments: ["get photos.items.count", "p photos.items.count"])
    func get(line: String) throws {
        #expect(
            try CommandLineParser.parse(line)
                == Request(
                    method: "get", parameters: encoded(GetParameters(path: "photos.items.count"))))
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
            try CommandLineParser.parse(line)
                == Request(
                    method: "set", parameters: encoded(SetParameters(path: path, value: value))))
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
            try CommandLineParser.parse(line)
                == Request(
                    method: "call",
                    parameters: encoded(CallParameters(action: action, arguments: arguments))))
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
            try CommandLineParser.parse(line)
                == Request(
                    method: "dump", parameters: encoded(DumpParameters(id: id, output: output))))
    }

    @Test(
        "stack takes ids of threads, main and all",
        arguments: [
            ("stack 4251 4252", StackParameters(threads: [4251, 4252])),
            ("bt main", StackParameters(main: true)), ("stack all", StackParameters(all: true)),
            ("stack --all --full", StackParameters(all: true, full: true)),
            ("stack --full main 7", StackParameters(threads: [7], main: true, full: true)),
        ])
    func stack(line: String, parameters: StackParameters) throws {
        #expect(
            try CommandLineParser.parse(line)
                == Request(method: "stack", parameters: encoded(parameters)))
    }

    @Test("queues are named by their labels, also with spaces, and by their addresses")
    func queues() throws {
        #expect(
            try CommandLineParser.parse("queue \"my queue\" --limit 3")
                == Request(
                    method: "queue",
                    parameters: encoded(QueueParameters(name: "my queue", limit: 3))))
        for method in ["suspend", "resume"] {
            #expect(
                try CommandLineParser.parse("\(method) 0x7f00")
                    == Request(
                        method: method, parameters: encoded(SuspendParameters(queue: "0x7f00"))))
        }
        #expect(
            try CommandLineParser.parse("queues --all")
                == Request(method: "queues", parameters: encoded(QueuesParameters(all: true))))
        #expect(
            try CommandLineParser.parse("tasks --full")
                == Request(method: "tasks", parameters: encoded(TasksParameters(full: true))))
        #expect(
            try CommandLineParser.parse("threads --all")
                == Request(method: "threads", parameters: encoded(ThreadsParameters(all: true))))
        for method in ["groups", "semaphores", "timers", "actors"] {
            #expect(
                try CommandLineParser.parse("\(method) --all")
                    == Request(method: method, parameters: encoded(KindParameters(all: true))))
        }
    }

    @Test(
        "cancel says what kind of thing it is",
        arguments: [
            ("cancel task 12", CancelParameters(kind: "task", id: "12")),
            ("cancel task #12", CancelParameters(kind: "task", id: "12")),
            (
                "cancel operation \"thumbnail 7\"",
                CancelParameters(kind: "operation", id: "thumbnail 7")
            ),
            (
                "cancel item com.telltale.photos 0x7f40",
                CancelParameters(kind: "item", id: "0x7f40", queue: "com.telltale.photos")
            ),
        ])
    func cancel(line: String, parameters: CancelParameters) throws {
        #expect(
            try CommandLineParser.parse(line)
                == Request(method: "cancel", parameters: encoded(parameters)))
    }

    @Test(
        "the hang watch is switched on, with a time in any unit, and off",
        arguments: [
            ("watch stuck", WatchParameters(what: "stuck")),
            ("watch stuck --every 5s", WatchParameters(what: "stuck", everySeconds: 5)),
            ("watch stuck --every=500ms", WatchParameters(what: "stuck", everySeconds: 0.5)),
            ("watch --every 2m stuck", WatchParameters(what: "stuck", everySeconds: 120)),
            ("watch stuck --every 7", WatchParameters(what: "stuck", everySeconds: 7)),
            ("watch stuck off", WatchParameters(what: "stuck", off: true)),
        ])
    func watch(line: String, parameters: WatchParameters) throws {
        #expect(
            try CommandLineParser.parse(line)
                == Request(method: "watch", parameters: encoded(parameters)))
    }

    @Test("undo and help take one word")
    func oneWord() throws {
        #expect(
            try CommandLineParser.parse("undo 3")
                == Request(method: "undo", parameters: encoded(UndoParameters(number: 3))))
        #expect(
            try CommandLineParser.parse("help")
                == Request(method: "help", parameters: encoded(HelpParameters())))
        #expect(
            try CommandLineParser.parse("? po")
                == Request(method: "help", parameters: encoded(HelpParameters(command: "po"))))
    }

    @Test("a shell's words are a line: nothing of a value is lost but the number of spaces")
    func words() throws {
        func parsed(_ words: String...) throws -> Request? {
            try CommandLineParser.parse(words: words)
        }
        let woot = Request(
            method: "set",
            parameters: try encoded(SetParameters(path: "photos.prompt", value: "WOOT!")))
        #expect(try parsed("set", "photos.prompt", "WOOT!") == woot)
        #expect(try parsed("photos.prompt", "=", "WOOT!") == woot)
        #expect(try parsed("set photos.prompt WOOT!") == woot)
        #expect(
            try parsed("photos.prompt", "=", "\"a b\"")
                == Request(
                    method: "set",
                    parameters: encoded(SetParameters(path: "photos.prompt", value: "\"a b\""))))
        #expect(
            try parsed("photos.add(\"a\",", "3)")
                == Request(
                    method: "call",
                    parameters: encoded(CallParameters(action: "photos.add", arguments: "\"a\", 3"))
                ))
        #expect(
            try parsed("dump", "--output", "a \"b.txt")
                == Request(method: "dump", parameters: encoded(DumpParameters(output: "a \"b.txt")))
        )
        #expect(
            try parsed("get", "cache[\"a b\"]")
                == Request(
                    method: "get", parameters: encoded(GetParameters(path: "cache[\"a b\"]"))))
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
