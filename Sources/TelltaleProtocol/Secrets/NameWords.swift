#if TELLTALE_COMPILED
enum NameWords {
    /// Splits at anything but letters and digits, before an upper-case letter that follows a
    /// lower-case one or begins a word (`APIKey` is `api`, `key`), and around digits. All words
    /// come in lower case.
    static func split(_ name: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        let scalars = Array(name.unicodeScalars)
        func close() {
            if !word.isEmpty { words.append(String(word).lowercased()) }
            word = String.UnicodeScalarView()
        }
        var before = Kind.other
        for (index, scalar) in scalars.enumerated() {
            let kind = Kind(scalar)
            defer { before = kind }
            switch (before, kind) {
            case (_, .other):
                close()
                continue
            case (.lower, .upper), (.digit, .upper), (.digit, .lower), (.upper, .digit),
                (.lower, .digit):
                close()
            case (.upper, .upper):
                let after = index + 1 < scalars.count ? Kind(scalars[index + 1]) : .other
                if after == .lower, !isPlural(scalars, from: index + 1) { close() }
            default: break
            }
            word.append(scalar)
        }
        close()
        return words
    }

    /// Returns whether one `s` that ends the name or a word begins here: the `IDs` of `sessionIDs`.
    private static func isPlural(_ scalars: [Unicode.Scalar], from index: Int) -> Bool {
        guard index < scalars.count, scalars[index] == "s" else { return false }
        return index + 1 >= scalars.count || Kind(scalars[index + 1]) != .lower
    }

    private enum Kind {
        case lower, upper, digit, other

        init(_ scalar: Unicode.Scalar) {
            // Nearly every name is of these alone, and their properties are a search in a table each.
            switch scalar {
            case "a"..."z": self = .lower
            case "A"..."Z": self = .upper
            case "0"..."9": self = .digit
            case "\0"..."\u{7F}": self = .other
            default: self.init(properties: scalar)
            }
        }

        private init(properties scalar: Unicode.Scalar) {
            let properties = scalar.properties
            if properties.isUppercase {
                self = .upper
            } else if properties.isAlphabetic {
                self = .lower
            } else if properties.numericType != nil {
                self = .digit
            } else {
                self = .other
            }
        }
    }
}
#endif
