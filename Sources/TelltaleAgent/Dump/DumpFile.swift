#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import TelltaleAgentProtocol
    import TelltaleAgentSystem

    /// Dumps as files named by a template: private, written beside and renamed, the last ones kept.
    struct DumpFile: Sendable {
        let template: String
        let pid: Int32
        let name: String
        let keptCount: Int
        let keptBytes: Int

        /// Writes `dump` and removes what is over the bounds.
        ///
        /// - Returns: The path of the file.
        func write(_ dump: DumpAnswer) throws(SystemError) -> String {
            let path = path(id: dump.id, time: dump.time)
            let text = dump.lines.joined(separator: "\n") + "\n"
            try PrivateFile.replace(path, with: Array(text.utf8))
            prune(keeping: path)
            return path
        }

        /// The template with its parts filled in.
        func path(id: Int, time: String) -> String {
            fill { part in
                switch part {
                case "pid": String(pid)
                case "name": String(name.map { $0 == "/" || $0 == "\0" ? "_" : $0 })
                case "id": String(id)
                // Without the colons, which some file systems and tools don't take.
                case "time": String(time.filter { $0 != ":" })
                default: nil
                }
            }
        }

        private func fill(_ value: (Substring) -> String?) -> String {
            var result = ""
            var rest = template[...]
            while let open = rest.firstIndex(of: "{"),
                let close = rest[open...].firstIndex(of: "}")
            {
                result += rest[..<open]
                let part = rest[rest.index(after: open)..<close]
                result += value(part) ?? "{\(part)}"
                rest = rest[rest.index(after: close)...]
            }
            return result + rest
        }

        // Only files that this template could have named are counted and removed.
        private func prune(keeping current: String) {
            guard let slash = template.lastIndex(of: "/"),
                !template[..<slash].contains("{")
            else { return }
            let directory = String(template[..<slash])
            let file = template[template.index(after: slash)...]
            let pattern = FilePattern(template: String(file))
            let found = DirectoryListing.names(in: directory)
                .filter { pattern.matches($0) }
                .compactMap { OldFile(path: "\(directory)/\($0)") }
                .sorted { $0.modified > $1.modified }
            var count = 0
            var bytes = 0
            for old in found {
                count += 1
                bytes += old.size
                let isOver = count > keptCount || bytes > keptBytes
                if isOver, old.path != current { old.remove() }
            }
        }
    }

    /// A file's name as a template makes it, with anything in the place of its parts.
    struct FilePattern: Sendable {
        private let pieces: [Substring]

        init(template: String) {
            var pieces: [Substring] = []
            var rest = template[...]
            while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}")
            {
                pieces.append(rest[..<open])
                rest = rest[rest.index(after: close)...]
            }
            pieces.append(rest)
            self.pieces = pieces
        }

        /// Whether a template without any part could only name one file.
        private var isFixed: Bool { pieces.count == 1 }

        func matches(_ name: String) -> Bool {
            guard let first = pieces.first, let last = pieces.last, !isFixed else {
                return pieces.first.map { $0 == name } ?? false
            }
            guard name.hasPrefix(first), name.hasSuffix(last),
                name.utf8.count > first.utf8.count + last.utf8.count
            else { return false }
            var rest = name.dropFirst(first.count).dropLast(last.count)
            for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
                guard let found = Self.find(piece, in: rest) else { return false }
                rest = rest[found...].dropFirst(piece.count)
            }
            return true
        }

        private static func find(_ piece: Substring, in text: Substring) -> Substring.Index? {
            text.indices.first { text[$0...].hasPrefix(piece) }
        }
    }
#endif
