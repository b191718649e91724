#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// Dumps as private files named by a template. A file is written under another name and renamed when it is
/// complete, and only the latest files are kept.
///
/// A file is removed or replaced only if this service wrote it, which its content must prove. It must be
/// one complete dump; its first line must name this service, and the process, number and time from which
/// the template makes the file's name. So the latest files are kept across restarts without a list of them,
/// and a dump that a person has copied, renamed or annotated is never removed.
struct DumpFile: Sendable {
    let template: String
    let pid: Int32
    let name: String
    let keptCount: Int
    let keptBytes: Int

    /// Writes `dump` and removes the files beyond the limits.
    ///
    /// - Returns: The path of the file.
    func write(_ dump: DumpAnswer) throws(SystemError) -> String {
        let path = path(id: dump.id, time: dump.time)
        let text = dump.lines.joined(separator: "\n") + "\n"
        // The service's name as its dumps render it.
        let rendered = dump.lines.first.flatMap { DumpHeading(line: $0) }?.name
        try PrivateFile.replace(path, with: Array(text.utf8)) { path in
            guard let (directory, file) = Self.parts(of: path),
                let old = OldFiles(in: directory)?.find(file)
            else { return false }
            return old.size == 0 || isOwn(old, in: directory, rendered: rendered)
        }
        prune(keeping: path, rendered: rendered)
        return path
    }

    /// Fills in the template.
    func path(id: Int, time: String) -> String { path(pid: pid, id: id, time: time) }

    private func path(pid: Int32, id: Int, time: String) -> String {
        FilePattern(template: template).filled { part in
            switch part {
            case "pid": String(pid)
            case "name": String(name.map { $0 == "/" || $0 == "\0" ? "_" : $0 })
            case "id": String(id)
            // Without colons, which some file systems and tools don't accept.
            case "time": String(time.filter { $0 != ":" })
            default: nil
            }
        }
    }

    private func isOwn(_ file: OldFiles.Found, in directory: String, rendered: String?) -> Bool {
        guard let heading = DumpHeading(beginning: file.beginning, end: file.end),
            heading.name == rendered
        else { return false }
        return path(pid: heading.pid, id: heading.id, time: heading.time)
            == "\(directory)/\(file.name)"
    }

    private static func parts(of path: String) -> (directory: String, file: String)? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    private func prune(keeping current: String, rendered: String?) {
        guard let (directory, file) = Self.parts(of: template), !directory.contains("{"),
            let files = OldFiles(in: directory)
        else { return }
        // Files that don't match the template are not even opened.
        let pattern = FilePattern(template: file)
        var found = DirectoryListing.names(in: directory).filter { pattern.matches($0) }
            .compactMap { files.find($0) }
            .filter { isOwn($0, in: directory, rendered: rendered) }
        found.sort { $0.modified > $1.modified }
        var count = 0
        var bytes = 0
        for old in found {
            count += 1
            bytes += old.size
            let isOver = count > keptCount || bytes > keptBytes
            if isOver, "\(directory)/\(old.name)" != current { files.remove(old) }
        }
    }
}

/// The pattern of the file names that a template makes, with a wildcard for each placeholder.
struct FilePattern: Sendable {
    private var pieces: [Substring] = []
    private var parts: [Substring] = []

    init(template: String) {
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            pieces.append(rest[..<open])
            parts.append(rest[rest.index(after: open)..<close])
            rest = rest[rest.index(after: close)...]
        }
        pieces.append(rest)
    }

    /// Fills in the template; a placeholder without a value stays as it is written.
    func filled(_ value: (Substring) -> String?) -> String {
        zip(pieces, parts).reduce("") { $0 + $1.0 + (value($1.1) ?? "{\($1.1)}") }
            + (pieces.last ?? "")
    }

    /// True for a template without placeholders, which names a single file.
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

/// The first line of a dump: the process and the service that wrote it, its number and its time.
struct DumpHeading: Equatable {
    let pid: Int32
    let id: Int
    let time: String
    let name: String

    /// Reads `telltale[4242] d1 BEGIN 2026-01-01T00:00:00Z photo-manager up=…`; nil for anything else.
    init?(line: some StringProtocol) {
        let words = Substring(line).split(
            separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
        guard words.count == 5, words[0].hasPrefix("telltale["), words[0].hasSuffix("]"),
            let pid = Int32(words[0].dropFirst(9).dropLast()), words[1].hasPrefix("d"),
            let id = Int(words[1].dropFirst()), words[2] == "BEGIN", !words[3].isEmpty
        else { return nil }
        self.pid = pid
        self.id = id
        time = String(words[3])
        // A name may contain spaces, and the text after it does not contain this separator.
        var rest = words[4]
        guard let last = Self.last(" up=", in: rest) else { return nil }
        rest = rest[..<last]
        name = String(rest)
    }

    /// Reads the heading of a file that holds one complete dump and nothing else, from its first and its
    /// last bytes.
    init?(beginning: String, end: String) {
        guard let first = beginning.split(separator: "\n", maxSplits: 1).first,
            let heading = DumpHeading(line: first), end.hasSuffix("\n"),
            let last = end.split(separator: "\n").last,
            last.hasPrefix("telltale[\(heading.pid)] d\(heading.id) END ")
        else { return nil }
        self = heading
    }

    private static func last(_ text: String, in line: Substring) -> Substring.Index? {
        line.indices.last { line[$0...].hasPrefix(text) }
    }
}
#endif
