#if TELLTALE_COMPILED
    /// Takes out of a text what a URL in it says of secrets: the password before the host, and the
    /// parameters that are named like secrets.
    ///
    /// Works on any text, since a URL stands in a message or a connection string as well; where one is cut
    /// off in the middle, its end is taken for the secret.
    package struct SecretURL {
        /// What stands in the place of a secret.
        package static let mask = "<masked>"

        /// A longer name of a parameter is taken for a secret's.
        private static let longestName = 128
        /// How far is looked for the `@` behind a password that holds a slash.
        private static let longestPassword = 1024

        private let bytes: [UInt8]
        private let isWhole: Bool
        private let names: SecretNames
        private var secrets: [Range<Int>] = []

        /// A text without the secrets of the URLs in it.
        ///
        /// - Parameters:
        ///   - text: Any text.
        ///   - isWhole: Whether none of it was cut off at its end.
        ///   - names: What is a secret.
        /// - Returns: The text with `<masked>` in the place of each; nil if it holds none.
        /// - Complexity: Linear in the length of the text.
        package static func masking(
            _ text: String, isWhole: Bool = true, names: SecretNames = .standard
        ) -> String? {
            var text = text
            let isCandidate = text.withUTF8 { utf8 in
                holdsMark(UnsafeRawBufferPointer(utf8))
                    && utf8.indices.contains { index in
                        utf8[index] == UInt8(ascii: "=")
                            || utf8[index] == UInt8(ascii: ":") && index + 2 < utf8.count
                                && utf8[index + 1] == UInt8(ascii: "/")
                                && utf8[index + 2] == UInt8(ascii: "/")
                    }
            }
            guard isCandidate else { return nil }
            var scan = SecretURL(bytes: Array(text.utf8), isWhole: isWhole, names: names)
            scan.findPasswords()
            scan.findParameters()
            return scan.masked
        }

        /// Whether there is a `=` or a `:` at all, eight bytes at a time: most texts of a host have none.
        private static func holdsMark(_ bytes: UnsafeRawBufferPointer) -> Bool {
            let ones: UInt64 = 0x0101_0101_0101_0101
            let equals = ones &* UInt64(UInt8(ascii: "="))
            let colons = ones &* UInt64(UInt8(ascii: ":"))
            var offset = 0
            while offset + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                // A byte of the difference that is zero borrows from its highest bit.
                let (left, right) = (word ^ equals, word ^ colons)
                let zeros = (left &- ones) & ~left | (right &- ones) & ~right
                if zeros & (ones &* 0x80) != 0 { return true }
                offset += 8
            }
            return bytes[offset...].contains { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }
        }

        private init(bytes: [UInt8], isWhole: Bool, names: SecretNames) {
            self.bytes = bytes
            self.isWhole = isWhole
            self.names = names
        }

        private var masked: String? {
            guard !secrets.isEmpty else { return nil }
            var out: [UInt8] = []
            var end = 0
            for secret in secrets.sorted(by: { $0.lowerBound < $1.lowerBound })
            where secret.upperBound > end {
                // Two can overlap: a password with a `=` in it.
                if secret.lowerBound >= end {
                    out += bytes[end..<secret.lowerBound]
                    out += Self.mask.utf8
                }
                end = secret.upperBound
            }
            out += bytes[end...]
            return String(decoding: out, as: UTF8.self)
        }

        private mutating func add(_ range: Range<Int>) {
            if !range.isEmpty { secrets.append(range) }
        }

        private func first(from start: Int, where isWanted: (UInt8) -> Bool) -> Int {
            bytes[start...].firstIndex(where: isWanted) ?? bytes.count
        }

        // MARK: Before the host

        private mutating func findPasswords() {
            var index = 0
            while index + 2 < bytes.count {
                guard bytes[index] == UInt8(ascii: ":"), bytes[index + 1] == UInt8(ascii: "/"),
                    bytes[index + 2] == UInt8(ascii: "/")
                else {
                    index += 1
                    continue
                }
                let start = index + 3
                findPassword(in: start)
                index = start
            }
        }

        private mutating func findPassword(in start: Int) {
            let end = first(from: start) { "/?#".utf8.contains($0) || Self.endsURL($0) }
            let authority = start..<end
            if let at = bytes[authority].lastIndex(of: UInt8(ascii: "@")) {
                if let colon = bytes[start..<at].firstIndex(of: UInt8(ascii: ":")) {
                    add(colon + 1..<at)
                } else if SecretLooks.isSecret(Self.text(bytes[start..<at])) {
                    // https://TOKEN@host
                    add(start..<at)
                }
                return
            }
            // What stands behind the host's colon is a port, unless a password holds a slash.
            guard bytes.indices.contains(start), bytes[start] != UInt8(ascii: "["),
                let colon = bytes[authority].firstIndex(of: UInt8(ascii: ":"))
            else { return }
            let port = bytes[colon + 1..<end]
            let isCut = end == bytes.count && !isWhole
            if port.allSatisfy({ (48...57).contains($0) }), !isCut { return }
            let farthest = min(bytes.count, max(end, colon + 1 + Self.longestPassword))
            let stop =
                bytes[colon + 1..<farthest].firstIndex {
                    $0 == UInt8(ascii: "@") || Self.endsURL($0)
                } ?? farthest
            let isAt = stop < bytes.count && bytes[stop] == UInt8(ascii: "@")
            let isCutHere = stop == bytes.count && !isWhole
            add(colon + 1..<(isAt || isCutHere ? stop : end))
        }

        // MARK: Parameters

        private mutating func findParameters() {
            var index = 0
            while let equals = bytes[index...].firstIndex(of: UInt8(ascii: "=")) {
                index = equals + 1
                var start = equals
                while start > 0, equals - start <= Self.longestName, Self.isName(bytes[start - 1]) {
                    start -= 1
                }
                guard start < equals else { continue }
                let before = start > 0 ? bytes[start - 1] : nil
                let isQuery = before.map { "?&#".utf8.contains($0) } ?? false
                let name = Self.decoded(bytes[start..<equals])
                guard
                    equals - start > Self.longestName
                        || names.matches(name, in: isQuery ? .query : .anywhere)
                else { continue }
                let value = value(from: equals + 1)
                add(value)
                index = max(index, value.upperBound)
            }
        }

        private func value(from start: Int) -> Range<Int> {
            if start < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[start]) {
                let quote = bytes[start]
                return start + 1..<first(from: start + 1) { $0 == quote }
            }
            return start..<first(from: start) { "&;#,".utf8.contains($0) || Self.endsURL($0) }
        }

        private static func isName(_ byte: UInt8) -> Bool {
            switch byte {
            case 48...57, 65...90, 97...122, 0x80...0xFF: true
            default: "_-.%[]+$".utf8.contains(byte)
            }
        }

        private static func endsURL(_ byte: UInt8) -> Bool {
            byte <= 32 || "\"<>`".utf8.contains(byte)
        }

        private static func text(_ bytes: ArraySlice<UInt8>) -> String {
            String(decoding: bytes, as: UTF8.self)
        }

        /// `to%6ben` is `token`.
        private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
            guard bytes.contains(UInt8(ascii: "%")) else { return text(bytes) }
            var out: [UInt8] = []
            var index = bytes.startIndex
            while index < bytes.endIndex {
                if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
                    let value = UInt8(text(bytes[index + 1...index + 2]), radix: 16)
                {
                    out.append(value)
                    index += 3
                } else {
                    out.append(bytes[index])
                    index += 1
                }
            }
            return text(out[...])
        }
    }
#endif
