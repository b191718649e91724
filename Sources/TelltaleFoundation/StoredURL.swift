#if TELLTALE_AGENT
import Foundation
import TelltaleAgent
import TelltaleProtocol

/// Reads a `URL` where it stands.
///
/// Checked against swift-foundation 6.3.1: an object with the text as it was parsed, and the base of
/// a relative one.
enum StoredURL {
    /// A base of a base is gone up to so often.
    private static let mostBases = 8
    /// More of a text than this is not read to join it with its base.
    private static let longest = 1 << 16

    /// Indicates that this process's Foundation stores URLs so.
    static let isKnown: Bool = {
        let base = URL(string: "https://user@example.com:8080/a/b?c=d#e")
        let samples = [
            base, URL(fileURLWithPath: "/tmp/a b/größe"), URL(string: "mailto:x@example.com"),
            URL(string: "../c?x", relativeTo: base),
            URL(string: "d", relativeTo: URL(string: "e/", relativeTo: base)),
            URL(string: "https://example.com/" + String(repeating: "long/", count: 20)),
        ]
        return samples.allSatisfy { sample in
            guard let sample else { return false }
            let shown = StoredValue.reading(sample) { rendering(of: $0, bytes: 1 << 16) }
            return shown?.text == sample.absoluteString
        }
    }()

    /// The whole URL, as far as there is room.
    static func rendering(of value: StoredValue, bytes: Int) -> ValueFormat.Rendering? {
        guard let url = value.property("_url"), let base = url.property("_baseURL")?.wrapped
        else { return nil }
        if base != nil {
            guard let text = absolute(value, level: 0) else { return nil }
            return cut(text, of: text.utf8.count, to: bytes)
        }
        guard let (text, count) = text(of: url, limit: bytes) else { return nil }
        return cut(text, of: count, to: bytes)
    }

    private static func text(
        of url: StoredValue, limit: Int
    ) -> (text: String, byteCount: Int)? {
        url.property("_parseInfo")?.property("urlString")?.string(limit: limit)
    }

    // A URL of the agent's own is made from the texts.
    private static func absolute(_ value: StoredValue, level: Int) -> String? {
        guard level < mostBases, let url = value.property("_url"),
            let (text, count) = text(of: url, limit: longest), text.utf8.count == count,
            let base = url.property("_baseURL")?.wrapped
        else { return nil }
        guard let base else { return text }
        guard let above = absolute(base, level: level + 1) else { return nil }
        return URL(string: text, relativeTo: URL(string: above))?.absoluteString
    }

    private static func cut(
        _ text: String, of count: Int, to bytes: Int
    ) -> ValueFormat.Rendering {
        guard count > bytes else { return ValueFormat.Rendering(text) }
        var shown = String(text.unicodeScalars.prefix(bytes))
        while shown.utf8.count > bytes, !shown.isEmpty { shown.unicodeScalars.removeLast() }
        return ValueFormat.Rendering(
            shown,
            note:
                "\(Quantity.count(count)) bytes, the first \(Quantity.count(shown.utf8.count)) shown"
        )
    }
}
#endif
