import Testing

@testable import TelltaleProtocol

/// The failures for lines that can't be parsed.
@Suite("Command lines that are wrong")
struct CommandLineFailureTests {
    private func failure(_ line: String) throws -> CommandFailure {
        try #require(throws: CommandFailure.self) { try CommandLineParser.parse(line) }
    }

    @Test(
        "what is wrong is named, with the syntax and an example that works",
        arguments: [
            ("show", "show needs a path"),
            ("show photos --dpeth 2", "show has no option '--dpeth'; did you mean --depth?"),
            ("photos --dpeth=2", "show has no option '--dpeth=2'; did you mean --depth?"),
            ("show photos --depth", "--depth of show needs a number after it"),
            ("show photos --depth=", "--depth= of show needs a number after it"),
            ("show photos --depth two", "--depth of show needs a number from 0, not 'two'"),
            ("show photos --limit -1", "--limit of show needs a number from 0, not '-1'"),
            ("show photos items", "unexpected argument 'items'"),
            (
                "show photos.items order by size",
                "'order' is not a clause; did you mean `sorted by`?"
            ),
            ("get photos.items filter isNew", "'filter' is not a clause; did you mean `where`?"),
            ("get", "get needs a path"), ("get a b", "unexpected argument 'b'"),
            ("get photos --all", "get has no option '--all'"),
            ("get photos --dpeth 1", "get has no option '--dpeth'; did you mean --depth?"),
            ("get photos --depth", "--depth of get needs a number after it"),
            ("get photos --limit -1", "--limit of get needs a number from 0, not '-1'"),
            ("set", "set needs a path and a value"),
            (
                "set photos.prompt",
                "the value for photos.prompt is missing; an empty string is \"\""
            ),
            ("set --force photos.prompt 1", "set has no option '--force'"),
            ("photos.prompt =", "the value for photos.prompt is missing; an empty string is \"\""),
            ("= 3", "what is to be set is missing: nothing stands before the `=`"),
            ("call", "call needs an action"),
            (
                "call photos.add 3",
                "'photos.add…' is not a call: put the arguments in parentheses after the name"
            ),
            (
                "call photos.add(3",
                "'photos.add…' is not a call: put the arguments in parentheses after the name"
            ),
            ("undo(1)", "undo is a command and no action"),
            ("redo", "redo needs the number of a change; `changes` lists them"),
            ("undo first", "'first' is not the number of a change; `changes` lists them"),
            ("undo 0", "'0' is not the number of a change; `changes` lists them"),
            (
                "undo 99999999999999999999",
                "'99999999999999999999' is not the number of a change; `changes` lists them"
            ),
            ("undo 1 2", "unexpected argument '2'"),
            ("dump x7", "'x7' is not the id of a dump, such as d7 or 7"),
            ("dump --output", "--output of dump needs a file after it"),
            ("objects now", "unexpected argument 'now'"),
            ("status = 3", "unexpected argument '='"),
            ("quit --force", "quit has no option '--force'"),
            ("stuck now", "unexpected argument 'now'"),
            ("stack first", "'first' is not the id of a thread; `threads` lists them"),
            ("stack 0", "'0' is not the id of a thread; `threads` lists them"),
            ("stack 99999999999", "'99999999999' is not the id of a thread; `threads` lists them"),
            ("stack --ful", "stack has no option '--ful'; did you mean --full?"),
            ("queue", "queue needs the label of a queue; `queues` lists them"),
            ("queue a b", "unexpected argument 'b'"),
            ("queue a --limit x", "--limit of queue needs a number from 0, not 'x'"),
            ("suspend", "suspend needs the label of a queue; `queues` lists them"),
            ("suspend q --for 500ms", "--for of suspend needs a time from 1s to 10m, not '500ms'"),
            ("suspend q --for 11m", "--for of suspend needs a time from 1s to 10m, not '11m'"),
            ("resume a b", "unexpected argument 'b'"),
            ("groups all", "unexpected argument 'all'"),
            (
                "cancel",
                "cancel needs what is to be cancelled: a task, an operation, an item or a job"
            ),
            (
                "cancel photos",
                "'photos' can't be cancelled; a task, an operation, an item or a job can"
            ),
            ("cancel task", "cancel needs the number of a task; `tasks` lists them"),
            ("cancel task x", "'x' is not the number of a task"),
            ("cancel item q", "cancel needs the address of an item; `queue` shows it"),
            ("cancel task 1 2", "unexpected argument '2'"),
            ("watch", "watch needs a path, or `stuck`"),
            ("watch photos --count 0", "--count of watch needs a number from 1 to 1000000"),
            (
                "watch stuck --count 3",
                "--count is for paths: `watch stuck` goes on until it is off"
            ),
            ("watch stuck on", "unexpected argument 'on'"),
            (
                "watch stuck --every soon",
                "--every of watch needs a time from 10ms to 24h, not 'soon'"
            ),
            (
                "watch stuck --every 1ms",
                "--every of watch needs a time from 10ms to 24h, not '1ms'"
            ),
            ("doctor --for abc", "--for of doctor needs a time from 10ms to 60s, not 'abc'"),
            ("doctor --for 100s", "--for of doctor needs a time from 10ms to 60s, not '100s'"),
            ("help a b", "unexpected argument 'b'"),
        ])
    func usage(line: String, message: String) throws {
        let failure = try failure(line)
        #expect(failure.code == .usage)
        #expect(failure.message == message)
        let hint = try #require(failure.hint).split(separator: "\n").map(String.init)
        #expect(hint.count == 2)
        #expect(hint.first?.hasPrefix("usage: ") == true)
        #expect(hint.last?.hasPrefix("for example: ") == true)
    }

    @Test(
        "words whose first is not a command get the nearest command's name",
        arguments: [
            (
                "shwo photos", "unknown command 'shwo'",
                "did you mean `show`? `help` lists all commands"
            ),
            (
                "sett photos.prompt = 3", "unknown command 'sett'",
                "did you mean `set`? `help` lists all commands"
            ),
            (
                "dmup --output x", "unknown command 'dmup'",
                "did you mean `dump`? `help` lists all commands"
            ),
            (
                "cal photos.add(3)", "unknown command 'cal'",
                "did you mean `call`? `help` lists all commands"
            ),
            ("photos items", "unknown command 'photos'", "`help` lists all commands"),
            ("why is it slow", "unknown command 'why'", "`help` lists all commands"),
        ])
    func unknown(line: String, message: String, hint: String) throws {
        #expect(
            try failure(line) == CommandFailure(.unknownCommand, message, hint: hint))
    }

    @Test("a hostile line is parsed in a moment and never traps")
    func hostile() throws {
        let lines = [
            String(repeating: "[", count: 100_000), String(repeating: ")", count: 100_000),
            String(repeating: "\"", count: 100_001), String(repeating: "a ", count: 100_000),
            "\\", "\"\\", "`", "(", ")", "()", "=", "==", "a==b", "--", "-", "show --", "show -",
            "call (", "call ()", "call )(", ")(", "\u{0}", "e\u{301}=\u{301}", "\r\n",
        ]
        for line in lines {
            do throws(CommandFailure) {
                _ = try CommandLineParser.parse(line)
            } catch {
                #expect(!error.message.isEmpty)
            }
        }
    }
}
