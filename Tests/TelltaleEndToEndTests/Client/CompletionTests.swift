import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The tab key at a real terminal, with a real service at the other end.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct CompletionTests {
    private func start(_ host: TestHost) throws -> TerminalProgram {
        let terminal = try TerminalProgram(
            try BuiltProgram.path(of: "telltale"), ["\(host.pid)"],
            environment: [
                "TELLTALE_DIRECTORY": host.directory, "PAGER": "cat", "NO_COLOR": "1",
                "XDG_STATE_HOME": host.directory, "INPUTRC": "/dev/null",
            ])
        // The first screen is two lines.
        let first = try terminal.wait(for: ")> ").split(separator: "\r\n")
        #expect(first.count == 3 && first[0].contains("(pid \(host.pid)), up "), "\(first)")
        return terminal
    }

    /// Returns the list for a half-typed line. The tab key is pressed until it appears: a
    /// completion for which the agent takes more than 250 ms is none.
    private func listed(_ text: String, until last: String, in terminal: TerminalProgram) throws
        -> String
    {
        try terminal.type(text)
        let deadline = MonotonicTime.now.advanced(by: .seconds(20))
        while true {
            try terminal.type("\t\t")
            do {
                var shown = try terminal.wait(for: last, limit: .seconds(1))
                // The line is below the list, and is dropped.
                shown += try terminal.wait(for: ")> " + text)
                try terminal.type("\u{3}")
                try terminal.wait(for: ")> ")
                return shown
            } catch { guard .now < deadline else { throw error } }
        }
    }

    /// Presses the tab key until it has typed a text, and drops the line then.
    private func waitForCompletion(_ text: String, in terminal: TerminalProgram) throws {
        let deadline = MonotonicTime.now.advanced(by: .seconds(20))
        while true {
            try terminal.type("\t")
            do {
                try terminal.wait(for: text, limit: .seconds(1))
                try terminal.type("\u{3}")
                try terminal.wait(for: ")> ")
                return
            } catch { guard .now < deadline else { throw error } }
        }
    }

    @Test("cases behind `=`, what an action takes, and elements in the order of their numbers")
    func live() throws {
        let host = try TestHost()
        let terminal = try start(host)
        let cases = try listed("photos.items[0].state = .", until: ".idle", in: terminal)
        #expect(cases.contains(".downloading(") && cases.contains(".failed("), "\(cases)")
        let action = try listed("photos.add(", until: "Int)", in: terminal)
        #expect(action.contains("photos.add(String, Int)"), "\(action)")
        let second = try listed("call photos.add(\"a, b\", ", until: "Int)", in: terminal)
        #expect(second.contains("photos.add(String, Int)"), "\(second)")
        // The type of each, which isn't inserted.
        let members = try listed("get photos.items[0].", until: "title  String", in: terminal)
        #expect(
            !members.contains("items[0].size") && members.contains("size   Int"), "\(members)")
        try terminal.type("get photos.items[0].ti\t")
        try terminal.wait(for: "photos.items[0].title")
        try terminal.type("\n")
        try terminal.wait(for: "\r\n\"")
        try terminal.wait(for: ")> ")
        let elements = try listed("show photos.items[", until: "[2]  Photo", in: terminal)
        let order = try (0..<3).map {
            try #require(elements.firstRange(of: "[\($0)]  Photo")).lowerBound
        }
        #expect(order == order.sorted(), "\(elements)")
        try terminal.type("\u{4}")
        #expect(terminal.waitUntilExit() == 0)
    }

    @Test("arguments: labels, values of few, and the methods that nobody registered")
    func arguments() throws {
        let host = try TestHost(["methods"])
        let terminal = try start(host)
        // The only possible text is inserted.
        try terminal.type("call album.choose(nil, ")
        try waitForCompletion("named: ", in: terminal)
        let labels = try listed("call album.choose(", until: "named: String)", in: terminal)
        #expect(labels.contains("nil"), "\(labels)")
        let values = try listed("album.mark(", until: "look: Optional<Look>)", in: terminal)
        for part in ["flag:  ", "Bool", "false", "true", "album.mark(flag: Bool, "] {
            #expect(values.contains(part), "\(part) in \(values)")
        }
        let cases = try listed("album.mark(flag: true, look: ", until: ".sharp", in: terminal)
        #expect(cases.contains("nil") && cases.contains(".blurred"), "\(cases)")
        try terminal.type("album.mark(fl\ttr\t, look: .bl\t)\n")
        try terminal.wait(for: "\"true blurred\"")
        try terminal.wait(for: ")> ")
        try terminal.type("\u{4}")
        #expect(terminal.waitUntilExit() == 0)
    }

    @Test("a command is watched in place until Ctrl-C, and the session goes on")
    func watched() throws {
        let host = try TestHost()
        let terminal = try start(host)
        try terminal.type("watch get photos.items.count --every 50ms\n")
        try terminal.wait(for: "\u{1B}[2J\u{1B}[H")
        try terminal.wait(for: "  3\u{1B}[K")
        try terminal.wait(for: "\u{1B}[H")
        _ = try host.telltale(["\(host.pid)", "photos.remove(0)"])
        try terminal.wait(for: "* 2\u{1B}[K")
        try terminal.type("\u{3}")
        try terminal.wait(for: ")> ")
        try terminal.type("get photos.items.count; get photos.items.count | tr 2 7\n")
        try terminal.wait(for: "\r\n2\r\n7\r\n")
        try terminal.wait(for: ")> ")
        try terminal.type("\u{4}")
        #expect(terminal.waitUntilExit() == 0)
    }

    @Test(
        "a queue that is misspelt gets the nearest names; the property of some elements is each one's"
    )
    func nearest() throws {
        let host = try TestHost()
        let queue = try host.telltale(["\(host.pid)", "queue", "photso"])
        #expect(queue.status == 1 && queue.errors.contains("did you mean test.photos"), "\(queue)")
        let titles = try host.telltale(["\(host.pid)", "get", "photos.items[1...2].title"])
        #expect(titles.status == 0 && titles.output.hasPrefix("[\""), "\(titles)")
    }
}
