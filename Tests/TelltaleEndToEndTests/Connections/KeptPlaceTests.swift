import TelltaleTestSupport
import Testing

/// What is set again and again goes the way that is kept of its path, as if it were set for the first time,
/// whatever has changed since.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct KeptPlaceTests {
    private static func set(_ asker: Asker, _ path: String, _ value: String) throws -> String {
        try asker.ask("set", #"{"path":"\#(path)","value":"\#(value)"}"#)
    }

    /// Sets until the way is kept, and once more; what is left there is `last`.
    private static func setOften(_ asker: Asker, _ path: String, last: String) throws -> String {
        for value in ["31", "32", "33"] { _ = try set(asker, path, value) }
        return try set(asker, path, last)
    }

    private static func change(_ old: String, _ new: String) -> String {
        #""old":"\#(old)","new":"\#(new)""#
    }

    @Test("each change has its own values, is listed, and is put back exactly")
    func repeated() throws {
        let host = try TestHost()
        let asker = try Asker(host)
        let path = "photos.items[0].size"
        for number in 1...8 {
            let answer = try Self.set(asker, path, "\(number)")
            let old = number == 1 ? "1200" : "\(number - 1)"
            #expect(answer.contains(Self.change(old, "\(number)")), "\(answer)")
            #expect(try Asker.shows("\(number)", asker.get(path)))
        }
        let sum = try asker.ask("set", #"{"path":"\#(path)","value":"30","operation":"+="}"#)
        #expect(sum.contains(Self.change("8", "38")), "\(sum)")
        for number in (1...9).reversed() {
            try asker.change("undo", #"{"number":\#(number)}"#)
            let before = number == 1 ? "1200" : "\(number - 1)"
            #expect(try Asker.shows(before, asker.get(path)))
        }
    }

    @Test("what does not fit is refused with nothing changed, each time")
    func refused() throws {
        let asker = try Asker(TestHost())
        let path = "photos.items[0].size"
        _ = try Self.setOften(asker, path, last: "5")
        for (value, word) in [
            ("\\\"x\\\"", "whole number"), ("1.5", "whole number"),
            ("99999999999999999999", "range"),
            ("nil", "Int"), ("[1", "closes"), ("photos.items[1].title", "Int"),
        ] {
            let answer = try Self.set(asker, path, value)
            #expect(answer.contains("error") && answer.contains(word), "\(value): \(answer)")
            #expect(try Asker.shows("5", asker.get(path)))
        }
        // What stands at another path is what is set.
        #expect(
            try Self.set(asker, path, "photos.items[1].size").contains(Self.change("5", "3400")))
    }

    @Test("an object of another class in its place is changed by the setter that this one has")
    func observed() throws {
        let host = try TestHost()
        let asker = try Asker(host)
        let path = "photos.items[0].size"
        #expect(try Self.setOften(asker, path, last: "5").contains(Self.change("33", "5")))
        #expect(try host.perform("enlarge") == "enlarged")
        for (number, old) in ["77", "1", "2", "3"].enumerated() {
            let answer = try Self.set(asker, path, "\(number + 1)")
            #expect(answer.contains(Self.change(old, "\(number + 1)")), "\(answer)")
            #expect(answer.contains("its observers ran"), "\(answer)")
        }
        #expect(try Asker.shows("8", asker.get("photos.items[0].parts")))
    }

    @Test("a range of an array is changed as such each time, and so is the whole array")
    func range() throws {
        let host = try TestHost()
        let asker = try Asker(host)
        #expect(try host.perform("enlarge") == "enlarged")
        let whole = "photos.items[0].sizes"
        for number in 4...9 {
            let part = try Self.set(asker, "\(whole)[0..<2]", "[\(number)]")
            #expect(part.contains(#""new":"[\#(number), 3]""#), "\(part)")
            let all = try Self.set(asker, whole, "[\(number), 2, 3]")
            #expect(all.contains(Self.change("[\(number), 3]", "[\(number), 2, 3]")), "\(all)")
        }
    }

    @Test(
        "an index that ends to be one is refused, and the object that stands there by then is changed"
    )
    func shrunk() throws {
        let asker = try Asker(TestHost())
        let path = "photos.items[2].size"
        #expect(try Self.setOften(asker, path, last: "5").contains(Self.change("33", "5")))
        try asker.change("call", #"{"action":"photos.remove","arguments":"0"}"#)
        #expect(try Self.set(asker, path, "6").contains("has no [2]: it has 2 elements"))
        #expect(try Asker.shows("5", asker.get("photos.items[1].size")))
        try asker.change("call", #"{"action":"photos.add","arguments":"\"x\", 8"}"#)
        #expect(try Self.set(asker, path, "6").contains(Self.change("8", "6")))
    }

    @Test("a name that another object has by now leads to that one")
    func registeredAgain() throws {
        let host = try TestHost()
        let asker = try Asker(host)
        let path = "photos.items[0].size"
        #expect(try Self.setOften(asker, path, last: "5").contains(Self.change("33", "5")))
        #expect(try host.perform("register-another") == "registered")
        #expect(try Self.set(asker, path, "6").contains(Self.change("1200", "6")))
    }

    @Test("an object that was let go is gone")
    func gone() throws {
        let host = try TestHost(["passing"])
        let asker = try Asker(host)
        let path = "passing.library.items[0].size"
        #expect(try Self.setOften(asker, path, last: "5").contains(Self.change("33", "5")))
        try host.perform("let-go")
        let answer = try Self.set(asker, path, "6")
        #expect(answer.contains("error") && answer.contains("gone"), "\(answer)")
    }

    @Test("texts, properties of structs and Bools are changed as numbers are; secrets stay masked")
    func kinds() throws {
        let asker = try Asker(TestHost())
        for number in 1...5 {
            let title = try Self.set(asker, "photos.items[1].title", "\\\"t\(number)\\\"")
            #expect(title.contains(#""new":"\"t\#(number)\"""#), "\(title)")
            let quality = try Self.set(asker, "photos.settings.quality", "\(number)")
            #expect(quality.contains(#""new":"\#(number)""#), "\(quality)")
            for secret in ["photos.apiToken", "photos.settings.password"] {
                let answer = try Self.set(asker, secret, "\\\"PLANTED-\(number)\\\"")
                #expect(answer.contains("result") && !answer.contains("PLANTED"), "\(answer)")
            }
        }
    }

    @Test(
        "an owner that doesn't answer is said so, nothing is changed late, and it is changed again afterwards"
    )
    func held() throws {
        let host = try TestHost(environment: ["TELLTALE_OWNER_DEADLINE": "300"])
        let asker = try Asker(host)
        let path = "photos.items[0].size"
        #expect(try Self.setOften(asker, path, last: "5").contains(Self.change("33", "5")))
        for _ in 0..<3 {
            try host.perform("block")
            let answer = try Self.set(asker, path, "6")
            #expect(answer.contains("the change was cancelled"), "\(answer)")
            try host.perform("unblock")
            #expect(try Asker.shows("5", asker.get(path)))
        }
        #expect(try Self.set(asker, path, "6").contains(Self.change("5", "6")))
    }
}
