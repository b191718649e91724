#if TELLTALE_AGENT
import Testing

@testable import TelltaleAgent

@Suite("What is denied by the rules of access")
struct AccessRulesTests {
    @Test(
        "a command, all that change something, or a command on some paths",
        arguments: [
            ("call", ["call"], "a.b", true), ("call", ["set"], "a.b", false),
            ("*", ["set"], "a.b", true), ("*", ["show"], "a.b", false),
            ("set photos.*", ["set"], "photos.items[2].title", true),
            ("set photos.*", ["set"], "photos", true),
            ("set photos.size.width", ["set"], "photos.size", true),
            ("set photos.items[0].title", ["set"], "photos.items", true),
            ("set photos.size.width", ["set"], "photos.si", false),
            ("set photos.*", ["set"], AccessRules.unknown, true),
            ("set photos.*", ["set"], "library.photos.x", false),
            ("set *.title", ["set"], "photos.items[2].title", true),
            ("set *.title", ["set"], "photos.title.count", false),
            ("set *a*b*", ["set"], "xxaxxbxx", true), ("set *a*b*", ["set"], "xxbxxaxx", false),
            ("set photos.*", ["undo", "set"], "photos.prompt", true),
            ("undo", ["undo", "set"], "photos.prompt", true),
            ("* photos.*", ["call"], "photos.remove", true),
        ])
    func rules(rule: String, commands: [String], target: String, isDenied: Bool) {
        #expect((AccessRules([rule]).denying(commands, [target]) != nil) == isDenied)
    }

    @Test(
        "what is no rule is known as none",
        arguments: ["", "cal", "set a b", "Set", "watch photos.prompt", "cancel job*"])
    func misspelt(text: String) {
        #expect(!AccessRules.isRule(text))
        #expect(AccessRules([text]).denying(["set"], ["a"]) == nil)
    }

    @Test("a pattern with very many stars costs no more than its length times the name's")
    func hostile() {
        let rules = AccessRules(["set " + String(repeating: "*a", count: 500) + "b"])
        #expect(rules.denying(["set"], [String(repeating: "a", count: 2000)]) == nil)
    }
}
#endif
