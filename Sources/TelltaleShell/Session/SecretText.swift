/// What looks like a secret in a line that someone typed.
enum SecretText {
    private static let names: Set<String> = [
        "password", "passwd", "passphrase", "passcode", "pwd", "pass", "pin", "secret", "secrets",
        "token", "tokens", "jwt", "bearer", "key", "keys", "apikey", "credential", "credentials",
        "authorization", "auth", "cookie", "cookies", "session", "signature", "salt", "nonce",
        "otp",
    ]
    private static let parts = [
        "password", "passwd", "secret", "token", "apikey", "credential", "privatekey", "accesskey",
    ]
    private static let beginnings = [
        "eyJ", "AKIA", "ASIA", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-",
        "sk-", "sk_live_", "rk_live_", "AIza", "ya29.", "-----BEGIN",
    ]

    /// Whether an identifier looks like the name of a secret: `apiToken`, `DB_PASSWORD`.
    static func isSecretName(_ word: String) -> Bool {
        let lower = word.lowercased()
        return parts.contains { lower.contains($0) } || pieces(word).contains { names.contains($0) }
    }

    /// Whether a line holds text that looks like a secret itself: a known prefix, a `Bearer` header,
    /// or a long run of letters and digits mixed as no word is.
    static func holdsSecret(_ line: String) -> Bool {
        if line.range(ofText: "Bearer ") || line.range(ofText: "Basic ") { return true }
        let isEdge: (Character) -> Bool = {
            !($0.isASCII && ($0.isLetter || $0.isNumber)) && !"_-.+/=".contains($0)
        }
        return line.split(whereSeparator: isEdge).contains { run in
            // What stands behind the name of a parameter or a property: `a=b`
            run.split(separator: "=").contains { piece in
                beginnings.contains { piece.hasPrefix($0) && piece.count >= $0.count + 8 }
                    || isRandom(piece)
            }
        }
    }

    /// The identifiers in a line.
    static func words(in line: String) -> [String] {
        line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
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

    /// `apiToken` is `api`, `token`; `DB_PASSWORD` is `db`, `password`.
    private static func pieces(_ word: String) -> [String] {
        var pieces: [String] = []
        var piece = ""
        var wasLower = false
        for character in word {
            let isBreak =
                character == "_" || character == "$" || (character.isUppercase && wasLower)
            if isBreak, !piece.isEmpty {
                pieces.append(piece.lowercased())
                piece = ""
            }
            if character != "_", character != "$" { piece.append(character) }
            wasLower = character.isLowercase || character.isNumber
        }
        if !piece.isEmpty { pieces.append(piece.lowercased()) }
        return pieces
    }
}

extension String {
    fileprivate func range(ofText text: String) -> Bool {
        utf8.count >= text.utf8.count
            && indices.contains { self[$0...].lowercased().hasPrefix(text.lowercased()) }
    }
}
