#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem
import Testing

@testable import TelltaleAgent

extension PlanReadingTests {
    private final class Texts {
        let texts: [String]
        init(_ texts: [String]) { self.texts = texts }
    }

    /// A text as it is shown where each letter is looked at.
    private func carefully(_ text: String) -> String? {
        let session = ReadSession(
            limits: ReadLimits(deadline: .distantFuture), masks: masks, handles: nil,
            rootName: "x", isPlain: false, source: .process)
        return withUnsafePointer(to: text) { pointer in
            ValueView(ofOwn: String.self, at: pointer).flatMap {
                NodeMaker(session: session).special($0, label: nil, level: 0, isBare: true).text
            }
        }
    }

    @Test(
        "what needs a look stands anywhere in a text",
        arguments: [
            "\"", "\\", "\n", "\u{7F}", "\u{9B}", "\u{1F}", "~", "é", "𝄞", ":", "@", "=", "%",
        ])
    func everyPlace(_ special: String) throws {
        // Short ones, those of 15 to 17 bytes, and such as end behind a block of 16.
        let texts = [1, 7, 8, 9, 14, 15, 16, 17, 31, 32, 33, 40].flatMap { size in
            (0..<size).map { place in
                String(repeating: "a", count: place) + special
                    + String(repeating: "b", count: size - 1 - place)
            }
        }
        let pair = try answers(Texts(texts)) { $0.elements = 1000 }
        try expectSame(pair)
        #expect(pair.fast.value.children[0].children.map(\.text) == texts.map(carefully))
    }

    @Test("a secret stands anywhere in a text")
    func secretsAnywhere() throws {
        let texts = (0..<40).flatMap { size in
            let start = String(repeating: "a", count: size)
            return [
                start + "http://me:hidden@host/", start + "http://host:80/?token=hidden",
                "x-" + start + ": hidden", start + "password=hidden", "http://host/" + start + ":1",
                "http://host:8000/" + start,
            ]
        }
        let pair = try answers(Texts(texts)) { $0.elements = 1000 }
        try expectSame(pair)
        #expect(!pair.fast.rendered().contains("me:hidden"))
        #expect(pair.fast.value.children[0].children.map(\.text) == texts.map(carefully))
    }

    @Test("texts go over the ends of pages")
    func pages() throws {
        let texts = [65_400, 65_500, 65_535, 65_536, 65_537, 131_072, 3, 0].map { size in
            String(repeating: "p", count: size)
        }
        try expectSame(answers(Texts(texts)) { $0.stringBytes = 1 << 20 })
    }
}
#endif
