#if TELLTALE_AGENT
import TelltaleProtocol
import Testing

@testable import TelltaleValues

/// A walk lets a text pass only where the matcher of secrets would find none.
@Suite struct SecretFilterTests {
    private static func passes(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { !TextScan(UnsafeRawBufferPointer($0)).mayHoldSecret }
    }

    @Test func nothingPassesThatHoldsASecret() {
        let pieces = [
            "http://", "://", "//", ":", "=", "@", "%", "%3a%2f%2f", "%3d", "/", "?", "&", "#", ";",
            " ", "\n", "\"", "\\", "user", "pass", "token", "password", "authorization", "Cookie",
            "X-Token", "api-key", "a", "b1", "80", "h.example", "-", "_", "{", "}", "ü", ",",
            "tcp(", "--", "<", "</", ">", "curl -u", "-----BEGIN ", "PRIVATE KEY", "-----", "9!",
            "'",
        ]
        var random = SystemRandomNumberGenerator()
        var passed = 0
        for _ in 0..<60_000 {
            let text = (0..<Int.random(in: 1...9, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            guard Self.passes(text) else { continue }
            passed += 1
            #expect(SecretURL.masking(text) == nil, "\(text)")
        }
        #expect(passed > 1000)
    }

    /// A label behind a sign is none of a host, though a number follows; and single quotes are quotes.
    @Test func labelsBehindSignsDoNotPass() {
        for text in ["http://,Cookie:80", "tcp(://{Cookie:80", "//a;token:9", "authorization':'x"] {
            #expect(!Self.passes(text), "\(text)")
        }
    }

    @Test func whatIsCommonPasses() {
        for text in [
            "https://photos.example/album/3/77.jpg", "http://127.0.0.1:8000/x.jpg", "12:30:45",
            "2026-11-22 12:30", "note: nothing",
            "plain", "",
        ] {
            #expect(Self.passes(text), "\(text)")
        }
    }
}
#endif
