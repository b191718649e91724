import TelltaleProtocol
import TelltaleTestSupport
import Testing

@testable import TelltaleShell

struct SessionLineTests {
    private func parts(_ line: String) -> [String] {
        SessionLine(line).parts.map { part in
            switch part.destination {
            case .program(let program): "\(part.command) -> \(program)"
            case .file(let file, let isAdded): "\(part.command) \(isAdded ? "+>" : "=>") \(file)"
            case nil: part.command
            }
        }
    }

    @Test(
        "commands are apart by semicolons; an answer goes to a program or into a file",
        arguments: [
            ("get x", ["get x"]), ("", []), (" ; ;", []), ("a; b ;c", ["a", "b", "c"]),
            ("photos | grep ready", ["photos -> grep ready"]),
            ("a | grep x | wc -l; b", ["a -> grep x | wc -l", "b"]),
            ("tasks > /tmp/x.txt", ["tasks => /tmp/x.txt"]),
            ("tasks >> ./x", ["tasks +> ./x"]), ("tasks > \"/tmp/a b\"", ["tasks => /tmp/a b"]),
            // Comparisons and computations are expressions.
            ("get a.size > b.size", ["get a.size > b.size"]),
            ("get a || b", ["get a || b"]),
            ("get items where size > 3", ["get items where size > 3"]),
            ("get a.b >= c", ["get a.b >= c"]),
            // In strings and brackets nothing is apart.
            ("p.q = \"a; b | c > /d\"", ["p.q = \"a; b | c > /d\""]),
            ("cache[\"a;b\"] | cat", ["cache[\"a;b\"] -> cat"]),
            ("call f(\"x\\\";\") ; g", ["call f(\"x\\\";\")", "g"]),
            ("# all ; of | it", ["# all ; of | it"]), ("#7; #8.x", ["#7", "#8.x"]),
            ("get x |", ["get x |"]),
        ])
    func apart(_ line: String, _ expected: [String]) { #expect(parts(line) == expected) }

    @Test("a line goes on where a bracket is open or a backslash ends it, and not in a string")
    func goesOn() {
        for line in ["call f(1,", "p = [", "get x \\", "p = {\"a\": ["] {
            #expect(SessionLine.goesOn(line), "\(line)")
        }
        for line in ["", "get x", "p = \"(", "p = \"\\", "f()", "a)", "c[\"[\"]"] {
            #expect(!SessionLine.goesOn(line), "\(line)")
        }
    }

    @Test(
        "what a service calls its things is offered only where neither a shell nor a session would run it"
    )
    func harmless() {
        for word in ["photos.items[0].title", "--after=1s", "com.shop/orders", "日本語", "a:b"] {
            #expect(word.isHarmlessInShell && word.isOneCommand, "\(word)")
        }
        for word in [
            "x$(touch y)", "q |touch y #", "a;b", "`id`", "a*", "d[\"$(id)\"]", "a b", "a\nb", "~x",
        ] {
            #expect(!word.isHarmlessInShell, "\(word)")
        }
        for word in ["q |touch y #", "a > b", "a;b", "d[\"x|"] {
            #expect(!word.isOneCommand, "\(word)")
        }
        #expect("d[\"a|b\"]".isOneCommand)
    }

    @Test("a line is recalled by its number, by its beginning, or as the last one")
    func recalled() throws {
        var words = SessionWords()
        for line in ["get x", "stuck", "get y"] { words.remember(line, bound: 10) }
        for (line, expected) in [
            ("!1", "get x"), ("!!", "get y"), ("!2 --strict", "stuck --strict"), ("!st", "stuck"),
            ("!get", "get y"), ("!-1", "get y"), ("!-3", "get x"), ("get !1", "get !1"), ("!", "!"),
        ] { #expect(try words.recalled(line) == expected, "\(line)") }
        for line in ["!9", "!0", "!-4", "!\(Int.min)", "!zzz"] {
            #expect(throws: CommandFailure.self, "\(line)") { try words.recalled(line) }
        }
        #expect(try words.answer("history 2") == .lines(["    2  stuck", "    3  get y"]))
        #expect(throws: CommandFailure.self) { try words.answer("history x") }
        words.remember("more", bound: 2)
        #expect(words.history == ["get y", "more"])
    }

    @Test("an alias stands for the beginning of a command, once, and never for a command")
    func alias() throws {
        var words = SessionWords()
        #expect(try words.answer("alias n = get photos.items.count") == .lines([]))
        #expect(try words.answer("alias get2 = n") == .lines([]))
        #expect(words.expanded("n + 1") == "get photos.items.count + 1")
        #expect(words.expanded("get2") == "n" && words.expanded("nn") == "nn")
        #expect(
            try words.answer("alias")
                == .lines(["alias get2 = n", "alias n = get photos.items.count"]))
        for line in ["alias stuck = x", "alias x", "alias = y", "alias a b = c", "unalias zzz"] {
            #expect(throws: CommandFailure.self, "\(line)") { try words.answer(line) }
        }
        #expect(try words.answer("unalias n") == .lines([]) && words.expanded("n") == "n")
        #expect(try words.answer("aliasing") == nil && words.answer("get x") == nil)
    }
}
