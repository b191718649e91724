#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent

@Suite("Secrets are in no answer")
struct ReadingMaskTests {
    private struct Key: TelltaleReflectable {
        static var telltaleIsSecret: Bool { true }
        let bits = "hush-bits"
    }

    private struct Account: TelltaleReflectable {
        static var telltaleMasked: Set<String> { ["iban"] }
        static var telltaleUnmasked: Set<String> { ["token"] }
        let iban = "hush-iban"
        let token = "of a parser"
    }

    private struct Chosen: TelltaleReflectable {
        static var telltaleFields: [String]? { ["second", "first"] }
        let first = 1
        let hidden = "hush-hidden"
        let second = 2
    }

    private final class Service {
        let apiToken = "hush-token"
        var password: String? = "hush-password"
        let sessionToken: String? = nil
        let key = Key()
        let keys = [Key(), Key()]
        let maybe: Key? = Key()
        let any: Any = Key()
        let account = Account()
        let chosen = Chosen()
        let headers = ["Authorization": "hush-header", "Accept": "text"]
        let pair = (name: "n", secret: "hush-pair")
        let plainName = "shown"
    }

    private let service = Service()

    @Test("not in the tree of the object")
    func tree() throws {
        let node = try ValueReader.usual { $0.depth = 20 }.read(service)
        let text = "\(node)"
        #expect(!text.contains("hush"))
        #expect(text.contains("shown"))
        #expect(text.contains("of a parser"))
        let token = try #require(node.children.first { $0.label == "apiToken" })
        #expect(token.kind == .masked)
        #expect(token.text == "<masked>")
        let empty = try #require(node.children.first { $0.label == "sessionToken" })
        #expect(empty.kind == .masked, "whether there is one is a part of the secret")
    }

    @Test(
        "not on a path to it either",
        arguments: [
            "x.apiToken", "x.password", "x.key", "x.keys", "x.maybe", "x.any",
            "x.keys[0]", "x.account.iban", "x.headers[\"Authorization\"]", "x.pair.secret",
        ])
    func path(_ path: String) throws {
        let node = try ValueReader.usual().read(service, path)
        #expect(node.kind == .masked)
        #expect(!"\(node)".contains("hush"))
    }

    private final class Linked {
        let title = "https://u:hunter2@h/?token=tok9"
        let part = "see https://u:hunter2@h/?token=tok9".dropFirst(4)
        let plain = "four"
    }

    private final class Links { let all = [Linked()] }

    @Test(
        "the length of a text with a secret in it is that of what is shown",
        arguments: ["title", "part"])
    func lengths(_ name: String) throws {
        let shown = try #require(try ValueReader.usual().read(Linked(), "x.\(name)").text)
        let length = shown.count - 2
        #expect(length == 36)
        let count = try ValueReader.usual().read(Linked(), "x.\(name).count")
        #expect(count.text == "\(length)")
        let each = try ValueReader.usual().read(Links(), "x.all[0..<1].\(name).count")
        #expect(each.children.map(\.text) == ["\(length)"])
        #expect(try ValueReader.usual().read(Linked(), "x.plain.count").text == "4")
        let open = ValueReader(
            limits: ReadLimits(deadline: .now.advanced(by: .seconds(60))), masks: .none,
            handles: nil)
        #expect(try open.read(Linked(), "x.\(name).count").text == "31")
    }

    @Test(
        "and there is no way into it",
        arguments: [
            "x.apiToken.count", "x.password.isEmpty", "x.key.bits", "x.keys[0].bits",
            "x.any.bits", "x.maybe.bits",
        ])
    func below(_ path: String) throws {
        let failure = #expect(throws: CommandFailure.self) {
            try ValueReader.usual().read(service, path)
        }
        #expect(failure?.code == .denied)
        #expect(failure?.message.contains("hush") == false)
    }

    @Test("nor among the values and the completions")
    func others() throws {
        let reader = ValueReader.usual()
        #expect(!"\(try reader.read(service, "x.headers.values"))".contains("hush"))
        let names = reader.completions(
            of: .object(service), rootName: "x", path: [.property("key")], prefix: "", max: 20)
        #expect(names.isEmpty)
    }

    @Test("a type chooses its properties and their order")
    func chosen() throws {
        let node = try ValueReader.usual().read(service, "x.chosen")
        #expect(node.children.map(\.label) == ["second", "first"])
        #expect(throws: CommandFailure.self) {
            try ValueReader.usual().read(service, "x.chosen.hidden")
        }
    }

    @Test("names that the host adds")
    func additional() throws {
        let masks = MaskPolicy(additionalNames: ["plainName"])
        let node = try ValueReader.usual(masks: masks).read(service, "x.plainName")
        #expect(node.kind == .masked)
    }
}
#endif
