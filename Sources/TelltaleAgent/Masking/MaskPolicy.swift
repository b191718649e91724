#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    /// Which properties and types are secrets, so that no answer, dump, completion or log shows
    /// them.
    struct MaskPolicy: Sendable {
        /// What stands in the place of a secret.
        static let text = "<masked>"

        /// Masks nothing, for comparing values that are not shown.
        static let none = MaskPolicy()

        /// In lower case, without what is between the words.
        private let names: Set<String>
        /// How many words of a property's name are looked at together.
        private let longest: Int
        private let masksTypes: Bool

        private init() { (names, longest, masksTypes) = ([], 0, false) }

        /// Makes a policy.
        ///
        /// - Parameter additionalNames: Names that the host wants masked besides those that are
        ///   always; like these they match whole words: `ssn` masks `userSSN` and `ssn_hash`.
        init(additionalNames: [String]) {
            let added = additionalNames.map(NameWords.split).filter { !$0.isEmpty }
            names = MaskedNames.always.union(added.map { $0.joined() })
            longest = max(MaskedNames.longest, added.map(\.count).max() ?? 0)
            masksTypes = true
        }

        /// Whether a property, an action's argument or a dictionary's key of this name is a secret.
        ///
        /// - Parameter name: A name in camel, snake or kebab case.
        /// - Returns: true if some of its words, or a few together, are the name of a secret.
        func masks(name: String) -> Bool {
            guard !names.isEmpty else { return false }
            let words = NameWords.split(name)
            if let last = words.last, words.count > 1, MaskedNames.amounts.contains(last) {
                return false
            }
            for start in words.indices {
                if MaskedNames.endings.contains(where: words[start].hasSuffix) { return true }
                var run = ""
                for word in words[start...].prefix(longest) {
                    run += word
                    if names.contains(run) { return true }
                }
            }
            return false
        }

        /// Whether every value of a type is a secret.
        ///
        /// - Parameter type: The type as the property is declared, or the value's own.
        /// - Returns: true if the type says so through ``TelltaleReflectable``.
        func masks(type: Any.Type) -> Bool {
            masksTypes && (type as? any TelltaleReflectable.Type)?.telltaleIsSecret ?? false
        }

        /// Whether one property of a type is a secret, by its name or by what the type says.
        ///
        /// - Parameters:
        ///   - name: The property's name; the underscore of a wrapper's storage may lead it.
        ///   - type: The type that the property is read from, a subclass for an inherited one.
        /// - Returns: true if it is to be masked.
        func masks(property name: String, of type: Any.Type) -> Bool {
            guard masksTypes else { return false }
            guard let reflectable = type as? any TelltaleReflectable.Type else {
                return masks(name: name)
            }
            let plain = Self.plainName(name)
            if reflectable.telltaleIsSecret { return true }
            if reflectable.telltaleMasked.contains(plain) { return true }
            if reflectable.telltaleUnmasked.contains(plain) { return false }
            return masks(name: plain)
        }

        /// A property's name without what the compiler adds for wrappers and lazy properties.
        static func plainName(_ name: String) -> String {
            for prefix in ["$__lazy_storage_$_", "_"] where name.hasPrefix(prefix) {
                return String(name.dropFirst(prefix.count))
            }
            return name
        }
    }

    /// The names of secrets.
    enum MaskedNames {
        /// Lower case and joined: `apikey` is `apiKey`, `api_key`, `API-Key` and `apikey`.
        static let always: Set<String> = [
            "password", "passwords", "passwd", "passwds", "pwd", "pwds", "passphrase",
            "passphrases", "passcode", "passcodes", "secret", "secrets", "token", "tokens",
            "apikey", "apikeys", "authorization", "bearer", "cookie", "cookies", "credential",
            "credentials", "creds", "privatekey", "privatekeys", "signingkey", "signingkeys",
            "accesskey", "accesskeys", "secretkey", "encryptionkey", "decryptionkey", "masterkey",
            "sessionkey", "sessionid", "sessionids", "clientkey", "hmackey", "aeskey", "sshkey",
            "authkey", "authcode", "jwt", "jwts", "otp", "totp", "connectionstring",
        ]
        /// Words written in one that end so are secrets too: `dbpassword`, `accesstoken`.
        static let endings = [
            "password", "passwd", "passphrase", "secret", "token", "apikey", "privatekey",
            "accesskey", "signingkey", "credentials",
        ]
        /// A name that ends so is a number of secrets and none: `tokenCount`, `maxTokensLimit`.
        static let amounts: Set<String> = ["count", "counts", "limit", "budget", "total"]
        /// How many words the longest of them has.
        static let longest = 3
    }

    /// The words of a name.
    enum NameWords {
        /// Splits at anything but letters and digits, before an upper-case letter that follows a
        /// lower-case one or begins a word (`APIKey` is `api`, `key`), and around digits.
        ///
        /// - Parameter name: Any text.
        /// - Returns: The words in lower case, at most 32.
        static func split(_ name: String) -> [String] {
            var words: [String] = []
            var word = String.UnicodeScalarView()
            let scalars = Array(name.unicodeScalars.prefix(256))
            func close() {
                if !word.isEmpty, words.count < 32 { words.append(String(word).lowercased()) }
                word = String.UnicodeScalarView()
            }
            for (index, scalar) in scalars.enumerated() {
                let kind = Kind(scalar)
                let before = index > 0 ? Kind(scalars[index - 1]) : .other
                let after = index + 1 < scalars.count ? Kind(scalars[index + 1]) : .other
                switch (before, kind) {
                case (_, .other):
                    close()
                    continue
                case (.lower, .upper), (.digit, .upper), (.digit, .lower), (.upper, .digit),
                    (.lower, .digit):
                    close()
                case (.upper, .upper) where after == .lower && !isPlural(scalars, from: index + 1):
                    close()
                default: break
                }
                word.append(scalar)
            }
            close()
            return words
        }

        /// Whether one `s` that ends the name or a word begins here: the `IDs` of `sessionIDs`.
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
