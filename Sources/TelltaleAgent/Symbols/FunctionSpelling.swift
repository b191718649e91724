#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    /// A demangled function, spelled so that it fits a screen.
    ///
    /// `closure #1 @Sendable () -> () in Photos.PhotoManager.add(Photos.Photo) -> ()` becomes
    /// `closure #1 in PhotoManager.add(_:)`: no module, no types, no generic arguments, and an async
    /// function's later parts are the function. One pass over the text for each part of the name, so that
    /// the work is bounded by its length.
    struct FunctionSpelling {
        private let bytes: [UInt8]
        /// How many brackets are open around each byte; those that open and close count as outside.
        private let depths: [Int]

        /// `function` as `swift_demangle` gives it, without what a screen has no room for. Other languages'
        /// names come back as they are.
        static func short(_ function: String) -> String {
            let whole = FunctionSpelling(function)
            var range = 0..<whole.bytes.count
            while let rest = whole.withoutWrapping(range) { range = rest }
            if whole.starts(with: "reabstraction thunk", at: range.lowerBound) {
                return "reabstraction thunk"
            }
            var parts: [String] = []
            while let separator = whole.find(" in ", in: range) {
                parts.append(whole.part(range.lowerBound..<separator))
                range = (separator + 4)..<range.upperBound
            }
            parts.append(whole.part(range))
            return parts.joined(separator: " in ")
        }

        private init(_ text: String) {
            bytes = Array(text.utf8)
            var depths: [Int] = []
            depths.reserveCapacity(bytes.count)
            var depth = 0
            var previous: UInt8 = 0
            // `Int.< infix`: such a `<` opens nothing.
            var isInOperator = false
            for byte in bytes {
                let isOperator = Self.operatorBytes.contains(byte)
                isInOperator = isOperator && (isInOperator || previous == UInt8(ascii: "."))
                switch byte {
                case UInt8(ascii: "("), UInt8(ascii: "["),
                    UInt8(ascii: "<") where !isInOperator:
                    depths.append(depth)
                    depth += 1
                case UInt8(ascii: ")"), UInt8(ascii: "]"),
                    UInt8(ascii: ">") where !isInOperator && previous != UInt8(ascii: "-"):
                    depth = max(0, depth - 1)
                    depths.append(depth)
                default: depths.append(depth)
                }
                previous = byte
            }
            self.depths = depths
        }

        private static let operatorBytes = Set("/=-+!*%<>&|^~?".utf8)

        // MARK: Finding

        private func starts(with word: StaticString, at index: Int) -> Bool {
            let count = word.utf8CodeUnitCount
            guard index >= 0, index + count <= bytes.count else { return false }
            return word.withUTF8Buffer { $0.elementsEqual(bytes[index..<(index + count)]) }
        }

        /// Where `word` is, outside of all brackets that are opened in `range`.
        private func find(_ word: StaticString, in range: Range<Int>) -> Int? {
            guard let level = depths[range].first else { return nil }
            let first = word.withUTF8Buffer { $0.first }
            return range.first {
                depths[$0] == level && bytes[$0] == first && starts(with: word, at: $0)
                    && $0 + word.utf8CodeUnitCount <= range.upperBound
            }
        }

        /// Where the bracket closes that opens at `index`.
        private func closing(of index: Int, in range: Range<Int>) -> Int? {
            ((index + 1)..<max(index + 1, range.upperBound)).first { depths[$0] == depths[index] }
        }

        private func text(_ range: Range<Int>) -> String {
            String(decoding: bytes[range], as: UTF8.self)
        }

        // MARK: What is around a name

        private static let wrappings: [StaticString] = [
            "await resume partial function for ", "suspend resume partial function for ",
            "partial apply forwarder for ", "protocol witness for ", "dispatch thunk of ",
            "merged ", "@objc ", "@nonobjc ", "async function pointer to ", "curry thunk of ",
        ]
        private static let specializations: [StaticString] = [
            "generic specialization ", "generic not re-abstracted specialization ",
            "generic partial specialization ", "generic pre-specialization ",
            "generic not-reabstracted specialization ", "function signature specialization ",
            "inlined generic function ",
        ]

        /// What is left of `range` without a word of the compiler's in front of the function.
        private func withoutWrapping(_ range: Range<Int>) -> Range<Int>? {
            var start = range.lowerBound
            // `(1) await resume…`
            if start < range.upperBound, bytes[start] == UInt8(ascii: "("),
                let end = closing(of: start, in: range), end > start + 1,
                bytes[(start + 1)..<end].allSatisfy({ (0x30...0x39).contains($0) }),
                starts(with: " ", at: end + 1)
            {
                start = end + 2
            }
            for word in Self.wrappings where starts(with: word, at: start) {
                let rest = (start + word.utf8CodeUnitCount)..<range.upperBound
                return find(" in conformance ", in: rest).map { rest.lowerBound..<$0 } ?? rest
            }
            for word in Self.specializations where starts(with: word, at: start) {
                guard let end = find(" of ", in: start..<range.upperBound) else { return nil }
                return (end + 4)..<range.upperBound
            }
            return start > range.lowerBound && start <= range.upperBound
                ? start..<range.upperBound : nil
        }

        // MARK: One name

        /// `closure #1 (Int) -> ()`, `static Module.Type.name(label: Int) -> ()`…
        private func part(_ range: Range<Int>) -> String {
            for word in ["implicit closure #", "closure #"] as [StaticString]
            where starts(with: word, at: range.lowerBound) {
                let number = range.lowerBound + word.utf8CodeUnitCount
                let end = bytes[number..<range.upperBound].firstIndex(of: UInt8(ascii: " "))
                return text(range.lowerBound..<(end ?? range.upperBound))
            }
            for word in ["static ", "class "] as [StaticString]
            where starts(with: word, at: range.lowerBound) {
                let rest = range.lowerBound + word.utf8CodeUnitCount
                return "\(word)\(entity(rest..<range.upperBound))"
            }
            // `default argument 0 of Module.name(…)`, `type metadata accessor for Module.Type`
            for word in [" of ", " for "] as [StaticString] {
                if let place = find(word, in: range) {
                    let rest = place + word.utf8CodeUnitCount
                    return text(range.lowerBound..<rest) + part(rest..<range.upperBound)
                }
            }
            return entity(range)
        }

        /// `Module.Type.name<A>(label: Int) -> ()`
        private func entity(_ whole: Range<Int>) -> String {
            var range = whole
            if starts(with: "(extension in ", at: range.lowerBound),
                let end = closing(of: range.lowerBound, in: range), starts(with: ":", at: end + 1)
            {
                range = (end + 2)..<range.upperBound
            }
            if let type = find(" : ", in: range) { range = range.lowerBound..<type }
            var components: [String] = []
            var name: [UInt8] = []
            var arguments = ""
            var index = range.lowerBound
            scan: while index < range.upperBound {
                let byte = bytes[index]
                switch byte {
                case UInt8(ascii: ".") where !name.isEmpty && !isOperator(at: index + 1, name):
                    components.append(String(decoding: name, as: UTF8.self))
                    name = []
                case UInt8(ascii: "("):
                    guard let end = closing(of: index, in: range) else { break scan }
                    if name.isEmpty {
                        // A private name: `(Type in _0123456789ABCDEF)`.
                        let inner = (index + 1)..<end
                        name = Array(
                            bytes[inner.lowerBound..<(find(" in ", in: inner) ?? inner.upperBound)])
                        index = end
                    } else {
                        arguments = labels((index + 1)..<end)
                        break scan
                    }
                case UInt8(ascii: "<"):
                    if let end = closing(of: index, in: range), !opensOperator(at: index) {
                        index = end
                    } else {
                        name.append(byte)
                    }
                case UInt8(ascii: " "):
                    // ` infix(`, ` #1 (`, and ` async -> ` behind a name without arguments.
                    let word = bytes[(index + 1)..<range.upperBound].prefix {
                        $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "(")
                            && $0 != UInt8(ascii: "<")
                    }
                    let spelled = String(decoding: word, as: UTF8.self)
                    guard
                        spelled.isEmpty || spelled.hasPrefix("#")
                            || ["infix", "prefix", "postfix"].contains(spelled)
                    else { break scan }
                    index += word.count
                default: name.append(byte)
                }
                index += 1
            }
            if !name.isEmpty { components.append(String(decoding: name, as: UTF8.self)) }
            guard !components.isEmpty else { return text(whole) }
            if components.count > 1 { components.removeFirst() }
            return components.joined(separator: ".") + arguments
        }

        /// Whether the `.` in front of `index` belongs to an operator such as `...`.
        private func isOperator(at index: Int, _ name: [UInt8]) -> Bool {
            name.last == UInt8(ascii: ".") && index < bytes.count
        }

        private func opensOperator(at index: Int) -> Bool {
            index > 0 && index + 1 < depths.count && depths[index + 1] == depths[index]
        }

        /// `(_:to:)` for `(Swift.Int, to: Swift.String)`.
        private func labels(_ range: Range<Int>) -> String {
            guard !range.isEmpty else { return "()" }
            var result = "("
            var start = range.lowerBound
            while start < range.upperBound {
                let rest = start..<range.upperBound
                let end = find(",", in: rest) ?? range.upperBound
                let label = bytes[start..<end].prefix {
                    $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ".")
                        && $0 != UInt8(ascii: "(")
                }
                let colon = start + label.count
                let isLabel = colon < end && bytes[colon] == UInt8(ascii: ":") && !label.isEmpty
                result += isLabel ? String(decoding: label, as: UTF8.self) : "_"
                result += ":"
                start = end + 1
                while start < range.upperBound, bytes[start] == UInt8(ascii: " ") { start += 1 }
            }
            return result + ")"
        }
    }
#endif
