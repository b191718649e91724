import TelltaleProtocol

extension String {
    /// Whether a shell takes it for one word and nothing else, unquoted. Quotes and what they hold are left
    /// out too: a candidate stands in the line as it is.
    var isHarmlessInShell: Bool {
        !isEmpty
            && unicodeScalars.allSatisfy { !$0.isASCII || Self.harmless.contains($0) }
    }

    private static let harmless = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+@%:,/=[]".unicodeScalars)

    /// Whether a session takes it for a part of one command: a bar, an arrow or a semicolon stands in quotes
    /// at most.
    var isOneCommand: Bool {
        var isQuoted = false
        for character in self {
            if character == "\"" { isQuoted.toggle() }
            if !isQuoted, "|>;\n".contains(character) { return false }
        }
        return !isQuoted || !contains { "|>;".contains($0) }
    }
}
