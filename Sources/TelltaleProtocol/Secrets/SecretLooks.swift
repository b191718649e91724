#if TELLTALE_COMPILED
/// Detects texts that look like a secret, independent of their name.
///
/// It decides about lines that would be kept and about the user of a URL, never about what an
/// answer shows: there the name decides.
package enum SecretLooks {
    private static let beginnings = [
        "eyJ", "AKIA", "ASIA", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-",
        "xoxp-", "sk-", "sk_live_", "rk_live_", "AIza", "ya29.", "-----BEGIN",
    ]

    /// Returns whether one word is built like a token: it has a token's prefix, or is a long run of
    /// mixed letters and digits, unlike any word.
    package static func isSecret(_ word: some StringProtocol) -> Bool {
        beginnings.contains { word.hasPrefix($0) && word.count >= $0.count + 8 }
            || isRandom(word)
    }

    /// Returns whether a line contains such a word, a `Bearer` header, or a URL with a secret.
    package static func holdsSecret(_ line: String) -> Bool {
        let lower = line.lowercased()
        if lower.contains("bearer ") || lower.contains("basic ") { return true }
        if SecretURL.masking(line) != nil { return true }
        let isEdge: (Character) -> Bool = {
            !($0.isASCII && ($0.isLetter || $0.isNumber)) && !"_-.+/=".contains($0)
        }
        return line.split(whereSeparator: isEdge).contains { run in
            // The text after the name of a parameter or a property: `a=b`.
            run.split(separator: "=").contains(where: isSecret)
        }
    }

    /// 24 characters or more with digits in several places among letters; a URL's path or a date is
    /// not, having separators.
    private static func isRandom(_ text: some StringProtocol) -> Bool {
        text.split { !($0.isLetter || $0.isNumber || $0 == "+" || $0 == "_") }.contains { run in
            guard run.count >= 24 else { return false }
            let digits = run.lazy.filter(\.isNumber).count
            return digits >= 4 && run.count - digits >= 4
        }
    }
}
#endif
