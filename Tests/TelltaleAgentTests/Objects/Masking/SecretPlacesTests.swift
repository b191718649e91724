#if TELLTALE_AGENT
import Foundation
import TelltaleFoundation
import TelltaleProtocol
import Testing

@testable import TelltaleAgent

/// An object that keeps a secret in every place that has a name.
private final class Keeper {
    struct Header {
        var name: String
        var value: String
    }
    struct FieldName: Hashable {
        var rawName: String
    }
    struct Field {
        var name: FieldName
        var rawValue: String
    }
    final class NameKey: Hashable, Sendable {
        let spelling: String
        init(_ spelling: String) { self.spelling = spelling }
        static func == (left: NameKey, right: NameKey) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(spelling) }
    }
    enum Login {
        case password(String)
        case anonymous(String)
        case account(user: String, secret: String)
    }

    var key = "hush-key"
    var pass = "hush-pass"
    var dbPass = "hush-dbPass"
    var cvv = "hush-cvv"
    var labelled = (user: "shown-user", password: "hush-tuple")
    var login = Login.password("hush-case")
    var account = Login.account(user: "shown-account", secret: "hush-payload")
    var other = Login.anonymous("shown-case")
    var headers = [
        Header(name: "Authorization", value: "hush-header"),
        Header(name: "Accept", value: "shown-header"),
    ]
    var fields = [
        Field(name: FieldName(rawName: "x-api-key"), rawValue: "hush-field"),
        Field(name: FieldName(rawName: "etag"), rawValue: "shown-field"),
    ]
    var pairs: [(String, String)] = [("Cookie", "hush-pair"), ("Host", "shown-pair")]
    var entries: [(key: String, value: String)] = [
        ("apiToken", "hush-entry"), ("colour", "shown-entry"),
    ]
    var literal: KeyValuePairs<String, String> = [
        "password": "hush-literal", "colour": "shown-literal",
    ]
    var byField = [
        FieldName(rawName: "Set-Cookie"): "hush-struct-key", FieldName(rawName: "a"): "shown-s",
    ]
    var byObject = [NameKey("clientSecret"): "hush-class-key", NameKey("b"): "shown-c"]
    var byString = [NSString("api_key"): "hush-nsstring", NSString("c"): "shown-n"]
    // Shown before the dictionary that has it for a key.
    static let sharedKey = NameKey("clientSecret")
    var shared = Keeper.sharedKey
    var bySharedObject = [Keeper.sharedKey: "hush-shared-key"]
    var triples: [(String, String, Int)] = [
        ("Cookie", "hush-triple", 1), ("Host", "shown-triple", 2),
    ]
    var members = [
        ["name": "Authorization", "value": "hush-member"],
        ["name": "Host", "value": "shown-member"],
    ]
    var untyped: [String: Any] = ["headerName": "Set-Cookie", "headerValue": "hush-untyped"]
    var body = #"{"password":"hush-body","user":"shown-body"}"#
    var long = [
        String(repeating: "a-", count: 300) + "password": "hush-long",
        String(repeating: "word ", count: 40) + "token": "hush-wordy",
    ]
    var endpoint = "https://app:hush-user@example.com/shown-path?page=2&token=hush-query#top"
    var url = URL(string: "postgres://app:hush-url@db.example.com/shown-db?sslmode=require")
    var callback = URL(string: "https://example.com/shown-cb#access_token=hush-fragment")
    var reachable = "https://example.com/shown-plain?page=2"

    var isTokenValid = true
    var tokenCount = 17
    var maxTokens = 4096
    var keyPath = "shown-keyPath"
    var bypass = "shown-bypass"
    var passenger = "shown-passenger"
    var monkey = "shown-monkey"
    var keyboard = "shown-keyboard"
}

@Suite("A secret goes by a name, and is masked in every place that has one")
struct SecretPlacesTests {
    private let keeper = Keeper()

    init() { Telltale.useFoundation() }

    @Test("in the tree of its object, of which all the rest is shown")
    func tree() throws {
        let node = try ValueReader.usual { $0.depth = 20 }.read(keeper)
        let text = Self.texts(of: node)
        let leaks = text.split(separator: "\n").filter { $0.contains("hush") }
        #expect(leaks.isEmpty)
        for shown in [
            "user", "account", "case", "header", "field", "pair", "entry", "literal", "s", "c",
            "n", "path", "db", "cb", "plain", "keyPath", "bypass", "passenger", "monkey",
            "triple", "member", "body",
            "keyboard",
        ] {
            #expect(text.contains("shown-\(shown)"), "shown-\(shown)")
        }
        for value in ["true", "17", "4096"] { #expect(text.contains(value)) }
        #expect(text.contains("https://app:<masked>@example.com/"))
        #expect(text.contains("?page=2&token=<masked>#top"))
        #expect(text.contains("sslmode=require"))
        #expect(text.contains("#access_token=<masked>"))
    }

    @Test(
        "and at the end of a path to it",
        arguments: [
            "key", "pass", "dbPass", "cvv", "labelled.password", "labelled.1", "login.0",
            "login.password", "account.secret", "account.1", "headers[0].value",
            "fields[0].rawValue", "pairs[0].1", "entries[0].value", "entries[0].1", "endpoint",
            "url", "callback", "byField", "byObject.values", "byString.values", "long.values",
            "headers", "literal", "pairs[0..<1]", "triples[0].1", "members[0]",
            "members[0][\"value\"]", "members[0].values", "untyped[\"headerValue\"]",
            "bySharedObject", "body",
        ])
    func path(_ path: String) throws {
        let node = try ValueReader.usual().read(keeper, "x." + path)
        #expect(!"\(node)".contains("hush"), "\(node)")
    }

    @Test("nothing of one is told: no length, no part")
    func below() throws {
        for path in ["login.0.count", "headers[0].value.count", "pairs[0].1.isEmpty"] {
            let failure = #expect(throws: CommandFailure.self) {
                try ValueReader.usual().read(keeper, "x." + path)
            }
            #expect(failure?.code == .denied, "\(path)")
        }
    }

    @Test("what is registered under the name of a secret is one, a closure's value too")
    func registered() throws {
        let reader = ValueReader.usual()
        for root in [ReadRoot.object(keeper), .value("hush"), .value(["hush": 1])] {
            let node = try reader.read(root, rootName: "apiToken", path: [])
            #expect(node.kind == .masked)
            #expect(throws: CommandFailure.self) {
                try reader.read(root, rootName: "apiToken", path: [.property("count")])
            }
        }
        let flag = try reader.read(.value(true), rootName: "apiToken", path: [])
        #expect(flag.text == "true")
    }

    @Test(
        "a change of it names neither the old nor the new value",
        arguments: [
            (".labelled.password", "\"hush-new\""), (".labelled.1", "\"hush-new\""),
            (".labelled", "(user: \"u\", password: \"hush-new\")"),
            (".login", ".password(\"hush-new\")"), (".headers[0].value", "\"hush-new\""),
            (".members[0][\"value\"]", "\"hush-new\""), (".triples[0].1", "\"hush-new\""),
            (".pairs[0].1", "\"hush-new\""), (".entries[0].value", "\"hush-new\""),
            (".key", "\"hush-new\""), (".fields[0].rawValue", "\"hush-new\""),
            (".endpoint", "\"https://u:hush-new@example.com\""),
            (".url", "\"https://u:hush-new@example.com\""),
        ])
    func changed(_ path: String, _ text: String) throws {
        let change = try change(keeper, path, text)
        #expect(!change.oldText.contains("hush"), "\(change.oldText)")
        #expect(!change.newText.contains("hush"), "\(change.newText)")
    }

    @Test(
        "and a refusal repeats nothing of what was typed for it",
        arguments: [
            (".labelled.password", "hush [", false),
            (".labelled.password", "[\"hush\"]", false),
            (".labelled", "(user: \"u\", password: [\"hush\"])", true),
            (".labelled", "(user: \"u\", password: \"hush", true),
            (".labelled", "(user: 1, password: \"hush\")", true),
            (".tokenCount", "{\"password\": \"hush\"}", true),
            (".tokenCount", "\"https://u:hush@example.com\"", true),
            (".login", ".password([\"hush\"])", true), (".login", ".password(\"hush", true),
            (".pairs[0].1", "[\"hush\"]", false), (".missing", "(password: \"hush\")", true),
        ])
    func refused(_ path: String, _ text: String, _ isPartly: Bool) throws {
        let failure = try #require(refusal(keeper, path, text))
        #expect(!failure.description.contains("hush"), "\(failure.description)")
    }

    @Test("a type lifts the mask of its own cases and pairs, and of its own registration")
    func lifted() throws {
        let node = try ValueReader.usual().read(
            .value(Token.password("shown")), rootName: "x", path: [])
        #expect("\(node)".contains("shown"))
        let root = try ValueReader.usual().read(
            .value(Token.password("shown")), rootName: "tokens", path: [])
        #expect("\(root)".contains("shown"))
        let pair = try ValueReader.usual().read(
            .value(Entry(name: "token", value: "shown")), rootName: "x", path: [])
        #expect("\(pair)".contains("shown"))
    }

    private struct Entry: TelltaleReflectable {
        let name: String
        let value: String
        static var telltaleUnmasked: Set<String> { ["value"] }
    }

    private enum Token: TelltaleReflectable {
        case password(String)
        static var telltaleUnmasked: Set<String> { ["password", "tokens"] }
    }

    /// Every text of a tree, one a line, with its labels.
    private static func texts(of node: ValueNode) -> String {
        "\(node.label ?? ""): \(node.text ?? "") \(node.note ?? "")\n"
            + node.children.map(texts).joined()
    }
}
#endif
