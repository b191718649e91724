import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// What a connection asks for again is answered by what is kept of its request, as if it came for the first
/// time, whatever has changed since.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct KeptRequestTests {
    @Test("a request is answered the same each time that it comes", arguments: ["get", "show"])
    func repeated(method: String) throws {
        let asker = try Asker(TestHost())
        for path in [
            "photos.items.count", "photos.items", "photos.items[0].size", "photos.items[1].title",
            "photos.items[99].size", "photos.prompt", "photos.settings", "photos.apiToken",
            "photos.apiToken.count", "photos.hidden", "photos.nothing", "answer", "store", "plain",
            "photos", "photos.items[0]", "photos.items[2]",
        ] {
            for bounds in ["", #","depth":0"#, #","depth":1,"limit":2"#, #","depth":3"#] {
                var answers: Set<String> = []
                for _ in 0..<5 {
                    answers.insert(try asker.ask(method, #"{"path":"\#(path)"\#(bounds)}"#))
                }
                #expect(answers.count == 1, "\(path)\(bounds): \(answers)")
            }
        }
    }

    @Test("an object is shown as it is by then, also one of another class in its place")
    func changedObject() throws {
        let host = try TestHost()
        let asker = try Asker(host)
        let before = try asker.getOften("photos.items[0]")
        #expect(Asker.shows("1200", before) && !Asker.shows("-5", before))
        try asker.change("set", #"{"path":"photos.items[0].size","value":"-5"}"#)
        let after = try asker.get("photos.items[0]")
        #expect(after == before.replacingOccurrences(of: #""1200""#, with: #""-5""#))
        #expect(try host.perform("enlarge") == "enlarged")
        let enlarged = try asker.get("photos.items[0]")
        #expect(Asker.shows("77", enlarged) && enlarged != after)
        #expect(try asker.getOften("photos.items[0]") == enlarged)
    }

    @Test("an answer that grows over its bound is cut, and that is said, the same each time")
    func long() throws {
        let host = try TestHost(["terse"])
        try host.perform("plant 20000")
        try host.perform("grove")
        let asker = try Asker(host)
        var cut = 0, whole = 0
        for limit in stride(from: 10, through: 400, by: 10) {
            var answers: Set<String> = []
            for _ in 0..<5 {
                answers.insert(try asker.ask("show", #"{"path":"grove","limit":\#(limit)}"#))
            }
            let answer = try #require(answers.first)
            #expect(answers.count == 1, "\(limit): \(answers.map(\.utf8.count))")
            #expect(answer.contains("result") && answer.utf8.count < 65_536, "\(limit)")
            if answer.contains(#""reason":"bytes""#) { cut += 1 } else { whole += 1 }
        }
        #expect(cut > 0 && whole > 0, "\(cut) cut, \(whole) whole")
    }

    @Test("an object's number leads to it each time that it is shown")
    func numbered() throws {
        let asker = try Asker(TestHost())
        let shown = try asker.getOften("photos.items[1]")
        let number = try #require(shown.firstMatch(of: #/"handle":(\d+)/#)).1
        #expect(try Asker.shows("3400", asker.get("#\(number).size")))
    }

    @Test("what the service changes is in the next answer, also another class in its place")
    func changed() throws {
        let host = try TestHost()
        let asker = try Asker(host)
        #expect(try Asker.shows("3", asker.getOften("photos.items.count")))
        #expect(try Asker.shows("1200", asker.getOften("photos.items[0].size")))
        for count in 4...6 {
            try asker.change(
                "call", #"{"action":"photos.add","arguments":"\"x\", \#(count)"}"#)
            #expect(try Asker.shows("\(count)", asker.get("photos.items.count")))
        }
        try asker.change("set", #"{"path":"photos.items[0].size","value":"-5"}"#)
        #expect(try Asker.shows("-5", asker.get("photos.items[0].size")))
        #expect(try host.perform("enlarge") == "enlarged")
        #expect(try Asker.shows("77", asker.getOften("photos.items[0].size")))
        #expect(try Asker.shows("1200", asker.get("photos.items[0].size")) == false)
    }

    @Test(
        "an index that ends to be one is refused, and found again, of an object and of what is in it",
        arguments: ["", ".size"])
    func shrunk(part: String) throws {
        let asker = try Asker(TestHost())
        let (second, third) = ("photos.items[1]\(part)", "photos.items[2]\(part)")
        #expect(try Asker.shows("5600", asker.getOften(third)))
        try asker.change("call", #"{"action":"photos.remove","arguments":"0"}"#)
        let refused = try asker.get(third)
        #expect(refused.contains("error"), "\(refused)")
        #expect(try Asker.shows("5600", asker.get(second)))
        try asker.change("call", #"{"action":"photos.add","arguments":"\"x\", 8"}"#)
        let added = try asker.getOften(third)
        #expect(Asker.shows("8", added) && !Asker.shows("5600", added))
    }

    @Test("what one client has asked for often is answered to others as it is by then")
    func shared() throws {
        let host = try TestHost()
        let first = try Asker(host)
        #expect(try Asker.shows("3", first.getOften("photos.items.count")))
        let second = try Asker(host)
        #expect(try Asker.shows("3", second.get("photos.items.count")))
        try first.change("call", #"{"action":"photos.add","arguments":"\"x\", 8"}"#)
        #expect(try Asker.shows("4", second.get("photos.items.count")))
        for _ in 0..<3 { #expect(try Asker.shows("1200", Asker(host).get("photos.items[0].size"))) }
        #expect(try Asker.shows("4", Asker(host).get("photos.items.count")))
        #expect(try host.perform("register-another") == "registered")
        for asker in [first, second, try Asker(host)] {
            #expect(try Asker.shows("2", asker.get("photos.items.count")))
        }
    }

    @Test("who has not said hello is answered nothing that is kept for others")
    func stranger() throws {
        let host = try TestHost()
        #expect(try Asker.shows("3", Asker(host).getOften("photos.items.count")))
        let client = try RawClient(host.socketPath())
        client.send(
            line: #"{"jsonrpc":"2.0","id":7,"method":"get","params":{"path":"photos.items.count"}}"#
        )
        let line = try #require(client.line())
        #expect(line.contains("the first request must be `hello`"), "\(line)")
    }

    @Test("a name that another object has by now leads to that one")
    func registeredAgain() throws {
        let host = try TestHost()
        let asker = try Asker(host)
        #expect(try Asker.shows("3", asker.getOften("photos.items.count")))
        #expect(try host.perform("register-another") == "registered")
        #expect(try Asker.shows("2", asker.getOften("photos.items.count")))
    }

    @Test("an object that was let go is gone")
    func gone() throws {
        let host = try TestHost(["passing"])
        let asker = try Asker(host)
        #expect(try Asker.shows("3", asker.getOften("passing.library.items.count")))
        #expect(try asker.getOften("passing.library").contains(#""kind":"object""#))
        try host.perform("let-go")
        for path in ["passing.library.items.count", "passing.library"] {
            let answer = try asker.get(path)
            #expect(answer.contains("error") && answer.contains("gone"), "\(answer)")
        }
    }

    @Test("an owner that doesn't answer is said so, and is read again afterwards")
    func held() throws {
        let host = try TestHost(environment: ["TELLTALE_OWNER_DEADLINE": "300"])
        let asker = try Asker(host)
        #expect(try Asker.shows("3", asker.getOften("photos.items.count")))
        for _ in 0..<3 {
            try host.perform("block")
            for path in ["photos.items.count", "photos.items[0]"] {
                let answer = try asker.get(path)
                #expect(answer.contains("did not answer in 300 ms"), "\(answer)")
            }
            try host.perform("unblock")
            #expect(try Asker.shows("3", asker.getOften("photos.items.count")))
            #expect(try Asker.shows("1200", asker.getOften("photos.items[0]")))
        }
    }

    @Test(
        "of a service that only some may read by a rule for paths nothing is kept that is refused")
    func denied() throws {
        let host = try TestHost(environment: ["TELLTALE_DENY": "get photos.items*"])
        let asker = try Asker(host)
        for _ in 0..<5 {
            let answer = try asker.get("photos.items.count")
            #expect(answer.contains("error"), "\(answer)")
        }
    }
}
