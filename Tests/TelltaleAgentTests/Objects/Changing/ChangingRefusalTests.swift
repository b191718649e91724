#if TELLTALE_AGENT
import TelltaleProtocol
import Testing

@testable import TelltaleAgent

@Suite("What can't be set is refused with a reason")
struct ChangingRefusalTests {
    let host = ChangingHost()

    @Test(
        "by what it is",
        arguments: [
            (".fixed", "1", "`let`"), (".fixedSettings.quality", "1", "`let`"),
            (".settings.revision", "1", "`let`"), (".handler", "1", "function"),
            (".maybeHandler", "nil", "function"), (".weakPhoto", "1", "object"),
            (".unownedPhoto", "1", "object"), (".unsafePhoto.title", "x", "unowned(unsafe)"),
            (".lock.value", "1", "nothing stored"), (".hits", "1", "Atomic"),
            (".items.count", "1", "nothing stored"), (".title.count", "1", "nothing stored"),
            (".first", "1", "let"), (".items[0]", "1", "object"), ("", "1", "whole object"),
            (".state.code", "1", "payload"), ("[0]", "1", "nothing stored"),
        ])
    func reasons(path: String, text: String, word: String) {
        let failure = refusal(host, path, text)
        #expect(failure?.code == .unsupported)
        #expect(failure?.message.contains(word) == true, "\(String(describing: failure))")
    }

    @Test("an unknown property, with the nearest names")
    func unknown() {
        let failure = refusal(host, ".prompr", "1")
        #expect(failure?.code == .notFound)
        #expect(failure?.hint == "did you mean prompt?")
        #expect(refusal(host, ".settings.qality", "1")?.hint == "did you mean quality?")
    }

    @Test("what stands below nil")
    func belowNil() {
        host.cover = nil
        let failure = refusal(host, ".cover.title", "x")
        #expect(failure?.code == .notFound)
        #expect(failure?.message.contains("host.cover is nil") == true)
    }

    @Test("a bare word is only taken for a string")
    func bareWords() {
        #expect(refusal(host, ".count", "twelve")?.code == .usage)
        #expect(refusal(host, ".title", "it's")?.code == .usage)
        #expect(refusal(host, ".title", "nil")?.code == .wrongType)
        #expect(refusal(host, ".title", "!x")?.code == .usage)
        #expect(host.title == "Wall" && host.count == 3)
    }

    @Test("names that a type does not show can't be set")
    func hiddenFields() throws {
        let shy = Shy()
        #expect(refusal(shy, ".hidden", "2")?.code == .notFound)
        try change(shy, ".shown", "2")
        #expect(shy.shown == 2 && shy.hidden == 1)
    }

    final class Shy: TelltaleReflectable {
        var shown = 1
        var hidden = 1
        static var telltaleFields: [String]? { ["shown"] }
    }
}
#endif
