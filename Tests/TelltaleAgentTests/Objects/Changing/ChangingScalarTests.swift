#if TELLTALE_AGENT
import TelltaleProtocol
import Testing

@testable import TelltaleAgent

@Suite("Scalars are set by what their property's type is")
struct ChangingScalarTests {
    let host = ChangingHost()

    @Test("an optional string takes a quoted text, a bare word and nil")
    func strings() throws {
        try change(host, ".prompt", "\"WOOT!\"")
        #expect(host.prompt == "WOOT!")
        try change(host, ".prompt", "WOOF!")
        #expect(host.prompt == "WOOF!")
        try change(host, ".title", "two words, and more")
        #expect(host.title == "two words, and more")
        try change(host, ".prompt", "nil")
        #expect(host.prompt == nil)
        try change(host, ".title", #""a\n\"b\"""#)
        #expect(host.title == "a\n\"b\"")
    }

    @Test("a string longer than its inline storage is retained and released as any other")
    func longStrings() throws {
        for number in 0..<200 {
            let text = String(repeating: "long \(number) ", count: 20)
            try change(host, ".title", Literal.quoted(text))
            #expect(host.title == text)
        }
    }

    @Test("numbers of every width, with their bounds")
    func numbers() throws {
        try change(host, ".count", "-12")
        #expect(host.count == -12)
        try change(host, ".small", "255")
        #expect(host.small == 255)
        try change(host, ".wide", "-9223372036854775808")
        #expect(host.wide == .min)
        try change(host, ".signed", "-32768")
        #expect(host.signed == .min)
        try change(host, ".ratio", "2")
        #expect(host.ratio == 2)
        try change(host, ".ratio", "1e300")
        #expect(host.ratio == 1e300)
        try change(host, ".single", "0.25")
        #expect(host.single == 0.25)
        try change(host, ".isOpen", "true")
        #expect(host.isOpen)
        try change(host, ".letter", "\"é\"")
        #expect(host.letter == "é")
    }

    @Test("a number out of range is refused with the range")
    func ranges() {
        let failure = refusal(host, ".small", "256")
        #expect(failure?.code == .wrongType)
        #expect(failure?.message == "host.small is a UInt8; 256 is out of its range")
        #expect(failure?.hint == "from 0 to 255")
        #expect(refusal(host, ".signed", "32768") != nil)
        #expect(refusal(host, ".single", "1e300") != nil)
        #expect(host.small == 7)
    }

    @Test("a number for a string is refused, with quotes in the hint")
    func numberForString() {
        let failure = refusal(host, ".prompt", "12")
        #expect(failure?.code == .wrongType)
        #expect(failure?.message == "host.prompt is a String?; 12 is an Int")
        #expect(failure?.hint == #"write it in quotes: "12""#)
    }

    @Test(
        "what doesn't fit is refused and changes nothing",
        arguments: [
            (".count", "\"x\""), (".count", "1.5"), (".count", "nil"), (".count", "word"),
            (".isOpen", "1"), (".letter", "\"ab\""), (".title", "[1]"), (".title", "true"),
            (".ratio", "\"1\""), (".numbers", "[1, \"x\"]"), (".numbers", "3"),
            (".pair", "(1, 2)"), (".size", "{\"width\": 1}"), (".mode", ".gone"),
            (".table", "[1: 1]"), (".tags", "{\"a\": 1}"), (".title", "'x'"),
        ])
    func misfits(path: String, text: String) {
        let failure = refusal(host, path, text)
        #expect(failure?.code == .wrongType || failure?.code == .usage)
        #expect(host.count == 3 && host.title == "Wall" && host.numbers == [1, 2, 3])
        #expect(host.pair == (1, "one") && host.size == .init(width: 1, height: 2))
    }

    @Test("an optional of an optional takes a value, and nil at the outside")
    func nestedOptionals() throws {
        try change(host, ".nested", "9")
        #expect(host.nested == .some(.some(9)))
        try change(host, ".nested", "nil")
        #expect(host.nested == .none)
    }

    @Test("cases with and without payload")
    func cases() throws {
        try change(host, ".mode", ".broken")
        #expect(host.mode == .broken)
        try change(host, ".mode", "\"busy\"")
        #expect(host.mode == .busy)
        try change(host, ".state", ".failed(code: 7)")
        #expect(host.state == .failed(code: 7))
        try change(host, ".state", ".failed(8)")
        #expect(host.state == .failed(code: 8))
        try change(host, ".state", ".moved(\"a text that has to be on the heap\", by: 2)")
        #expect(host.state == .moved("a text that has to be on the heap", by: 2))
        try change(host, ".state", ".named(\"x\")")
        #expect(host.state == .named("x"))
        try change(host, ".state", ".ready")
        #expect(host.state == .ready)
        try change(host, ".maybeMode", ".idle")
        #expect(host.maybeMode == .idle)
    }

    @Test("an indirect case, whose payload is in a box of its own")
    func indirect() throws {
        try change(host, ".chain", ".link(.link(.end))")
        guard case .link(.link(.end)) = host.chain else {
            Issue.record("\(host.chain)")
            return
        }
        for _ in 0..<100 {
            let kept = host.chain
            try change(host, ".chain", ".link(.end)")
            guard case .link(.end) = host.chain, case .link(.link(.end)) = kept else {
                Issue.record("\(host.chain)")
                return
            }
            host.chain = kept
        }
        try change(host, ".chain", ".end")
    }

    @Test("an unknown case is refused with those that there are")
    func unknownCase() {
        let failure = refusal(host, ".mode", ".gone")
        #expect(failure?.message == "Mode has no case gone")
        #expect(failure?.hint == "its cases are .idle, .busy, .broken")
        #expect(refusal(host, ".state", ".failed(wrong: 1)") != nil)
        #expect(refusal(host, ".state", ".failed") != nil)
        #expect(refusal(host, ".state", ".ready(1)") != nil)
        #expect(host.state == .ready)
    }

    @Test("existentials take a value of the type that stands there, or a plain one")
    func existentials() throws {
        try change(host, ".anything", "2")
        #expect(host.anything as? Int == 2)
        try change(host, ".anything", "\"text\"")
        #expect(host.anything as? String == "text")
        try change(host, ".shape", "6")
        #expect(host.shape as? Int == 6)
        #expect(refusal(host, ".shape", "[1]")?.code == .unsupported)
    }

    @Test("observers don't run, and the wrapper's storage is what changes")
    func observers() throws {
        try change(host, ".observed", "2")
        #expect(host.observed == 2 && host.observedSets == 0)
        let change = try change(host, ".level", "9")
        #expect(host.level == 9)
        #expect(change.note?.contains("wrapper") == true)
    }

    @Test("a property of an @Observable class changes, and the change says who was not told")
    func observable() throws {
        let model = ChangingModel()
        let performed = try change(model, ".title", "b")
        #expect(model.title == "b")
        #expect(performed.note?.contains("@Observable") == true)
        try change(model, ".items[0]", "2")
        #expect(model.items == [2])
    }

    @Test("an option set is set by its number")
    func optionSets() throws {
        try change(host, ".options", "5")
        #expect(host.options.rawValue == 5)
        #expect(refusal(host, ".options", "256")?.code == .wrongType)
    }

    @Test("a lazy property is set before it was made")
    func lazies() throws {
        try change(host, ".made", "7")
        #expect(host.made == 7)
    }
}
#endif
