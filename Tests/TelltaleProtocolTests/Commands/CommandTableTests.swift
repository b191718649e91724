import Testing

@testable import TelltaleProtocol

@Suite("The table of commands")
struct CommandTableTests {
    @Test("the commands stand in the order of an incident")
    func order() {
        #expect(
            CommandTable.all.map(\.name) == [
                "status", "doctor", "stuck", "alive", "queues", "queue", "threads", "stack",
                "tasks",
                "actors", "operations", "groups", "semaphores", "timers", "profile", "dump", "heap",
                "instances", "holders", "cycle", "roots", "types", "methods",
                "objects", "show", "get", "set", "actions", "call", "eval", "jobs", "changes",
                "undo",
                "redo",
                "begin", "commit", "rollback", "suspend",
                "resume", "cancel", "signal", "leave", "fire", "watch",
                "limits", "info", "help", "quit",
            ])
    }

    @Test("no word means two commands, and all is said of each")
    func complete() {
        let words = CommandTable.all.flatMap { [$0.name] + $0.aliases }
        #expect(Set(words).count == words.count)
        for command in CommandTable.all {
            #expect(command.syntax.hasPrefix(command.name))
            #expect(!command.summary.isEmpty && !command.detail.isEmpty)
            #expect(!command.summary.hasSuffix("."))
        }
    }

    @Test("the overview is a line for each command, without its options")
    func overview() throws {
        #expect(
            try CommandTable.help(for: nil).rendered() == """
                status                           one-line status
                doctor                           what is wrong with the service, worst first
                stuck                            what is stuck, who holds it, and where
                alive                            liveness probe: exits with 7 if the service is stuck
                queues                           queues: state, what waits, how long each took to answer
                queue NAME                       one queue: what waits on it, and who holds it
                threads                          threads: state, queue or task, function, cpu time
                stack [TID…|main|all], bt        stacks with functions and lines
                tasks                            Swift tasks: state, what each waits for
                actors                           actors: busy or idle, and the jobs that wait
                operations                       operation queues, dependencies, the main run loop
                groups                           dispatch groups: unbalanced enter() calls and waiters
                semaphores                       dispatch semaphores: value, and who waits
                timers                           dispatch timers and `asyncAfter`: next fire, handler
                profile                          where the time goes: functions by cpu, waits, a flame graph
                dump [ID]                        write a full dump, or show an earlier one by id
                heap                             what is on the heap: classes by count and bytes
                instances TYPE                   the objects of a class, registered or not
                holders PATH                     who refers to an object, by property, element, variable, stack
                cycle PATH                       whether an object's strong references lead back to it
                roots [WORD]                     globals and static properties of the program
                types [WORD]                     the types of the program
                methods TYPE                     methods, initialisers and properties of a type
                objects                          registered objects: name, type, owner, state
                show PATH, po PATH, PATH         a value as a tree
                get PATH, p PATH                 just the value, as a Swift literal
                set PATH VALUE, PATH = VALUE     change a value
                actions                          the actions that can be called
                call NAME(ARGS), NAME(ARGS)      run an action or a method
                eval [CODE]                      run Swift source in the service
                jobs [N]                         calls still running, and abandoned calls that have finished
                changes                          what was changed and called, and by whom
                undo [N]                         put the value of a change back
                redo N                           reapply an undone change
                begin                            start a transaction: collect changes, made as one by `commit`
                commit                           make the changes collected since `begin`
                rollback                         discard the changes collected since `begin`
                suspend QUEUE                    suspend a queue: it starts no further items
                resume QUEUE                     resume a queue suspended with `suspend`
                cancel KIND NAME                 cancel a task, an operation, a work item or a job
                signal SEMAPHORE                 last resort: signal a semaphore to release one waiting thread
                leave GROUP                      last resort: leave a group on behalf of code that failed to
                fire TIMER                       last resort: bring a timer or a delayed block forward
                watch PATH…|COMMAND|stuck [off]  print values or re-run a command as they change
                limits                           process limits and current usage
                info                             details about the process and the agent
                help [COMMAND]                   the commands, or one of them
                quit                             end the session

                A path: photos.items[2].title, cache["a b"], photos.items[100..<200], #7.title
                `help COMMAND` tells more, with an example.
                """)
    }

    @Test("the help of one command has its syntax, its detail and an example", arguments: ["undo"])
    func one(name: String) throws {
        #expect(
            try CommandTable.help(for: name).rendered() == """
                undo [N] [--preview]
                  put the value of a change back

                  Without N it is the last change of your user that is not undone yet; calls don't count.
                  Refused where the value has changed since. A call can't be undone. Changes that were made
                  as one are undone as one. With `--preview` it is checked and shown, and not done.
                  Refused in read-only mode.

                for example:
                  undo 1
                """)
        #expect(try CommandTable.help(for: "po") == CommandTable.help(for: "show"))
    }

    @Test("help for a mistyped command names the nearest")
    func unknownHelp() {
        #expect(
            throws: CommandFailure(
                .unknownCommand, "unknown command 'stauts'",
                hint: "did you mean `status`? `help` lists all commands")
        ) { try CommandTable.help(for: "stauts") }
    }

    @Test(
        "names that would be read as something else are reserved",
        arguments: [
            "show", "po", "p", "?", "exit", "hello", "complete", "4242", "", "-", "-x", "#7",
            "nil", "true",
        ])
    func reserved(name: String) { #expect(CommandTable.isReserved(name)) }

    @Test("other names are free", arguments: ["photos", "Show", "d7", "7up", "my cache", "写真"])
    func free(name: String) { #expect(!CommandTable.isReserved(name)) }

    @Test("what changes the host is known of every method, and sent to nobody by mistake")
    func changesHost() throws {
        let changing = CommandTable.methods.filter { $0.description.effect == .changes }
        #expect(
            changing.map { $0.description.name } == [
                "set", "call", "eval", "undo", "redo", "begin", "commit", "rollback", "suspend",
                "resume",
                "cancel", "signal", "leave", "fire",
            ])
        let harmless = try CommandTable.all.compactMap { description in
            try CommandLineParser.parse(description.example)
        }.filter(\.isHarmless).map(\.method)
        #expect(
            harmless == [
                "status", "doctor", "stuck", "alive", "queues", "queue", "threads", "tasks",
                "actors",
                "groups", "semaphores", "timers", "heap", "instances", "holders", "cycle", "roots",
                "types",
                "methods",
                "objects",
                "show", "get",
                "actions", "jobs", "changes", "watch",
                "limits",
                "info",
                "help", "quit",
            ])
        #expect(try CommandLineParser.parse("show a --describe")?.isHarmless == false)
    }
}
