import TelltaleProtocol

extension String {
    /// Indicates that a shell takes it for one word and nothing else, unquoted. Quotes and their
    /// contents are left out too: a candidate is inserted into the line as it is.
    var isHarmlessInShell: Bool {
        !isEmpty
            && unicodeScalars.allSatisfy { !$0.isASCII || Self.harmless.contains($0) }
    }

    private static let harmless = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+@%:,/=[]".unicodeScalars)

    /// Indicates that a session takes it for a part of one command: a bar, an arrow or a semicolon
    /// stands in quotes at most.
    var isOneCommand: Bool {
        var isQuoted = false
        for character in self {
            if character == "\"" { isQuoted.toggle() }
            if !isQuoted, "|>;\n".contains(character) { return false }
        }
        return !isQuoted || !contains { "|>;".contains($0) }
    }
}
