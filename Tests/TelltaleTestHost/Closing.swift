import CDispatch
import Foundation
import Synchronization
import TelltaleAgent

@_silgen_name("closefrom") private func closeFrom(_ lowest: Int32)
@_silgen_name("eventfd") private func makeEvents(_ value: UInt32, _ flags: Int32) -> Int32

/// A host that closes what it doesn't know, as daemons do, and then opens files and sockets of its own,
/// which get the numbers that the agent's had.
enum Closing {
    private static let kept = Mutex<[Held]>([])

    /// `closefrom 3`: closes all, opens its own, beginning with the third kind; `closefrom 3 stop` and
    /// `closefrom 3 fork` stop the agent, or fork, at once after that. `intact` says what became of them.
    static func perform(_ words: [String]) -> String? {
        switch words.first {
        case "closefrom":
            let turn = words.count > 1 ? Int(words[1]) ?? 0 : 0
            closeAll(beginning: turn)
            if words.last == "stop" { Telltale.stop() }
            if words.last == "fork" { return inChild() }
            return check()
        case "intact": return check()
        case "record-locks": return lockImages()
        case "errors-to": return replaceErrors(by: words)
        case "setuid": return become(words, setuid)
        case "seteuid": return become(words, seteuid)
        default: return nil
        }
    }

    // `errors-to data FILE`: number 2 is closed and given to a file of the host's data; `errors-to log
    // FILE`: standard error goes to another file, as when logs are rotated.
    private static func replaceErrors(by words: [String]) -> String {
        guard words.count == 3 else { return "unknown" }
        if words[1] == "data" {
            close(2)
            return "\(open(words[2], O_RDWR | O_CREAT, 0o600))"
        }
        let log = open(words[2], O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(log) }
        return "\(dup2(log, 2))"
    }

    // `record-locks`: locks the program's own file and its libraries against writers, and answers their number.
    private static func lockImages() -> String {
        // Foundation reads only the first page of such a file, whose size is 0.
        guard let maps = fopen("/proc/self/maps", "r") else { return "0" }
        defer { fclose(maps) }
        var paths: Set<String> = []
        while let line = readLine(maps) {
            guard line.contains("r-xp"), let start = line.firstIndex(of: "/") else { continue }
            paths.insert(String(line[start...]))
        }
        let locked = paths.filter { path in
            let file = open(path, O_RDONLY | O_CLOEXEC)
            var lock = flock(
                l_type: Int16(F_RDLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
            return file >= 0 && fcntl(file, F_SETLK, &lock) == 0
        }
        return "\(locked.count)"
    }

    private static func readLine(_ stream: UnsafeMutablePointer<FILE>) -> String? {
        var text = [CChar](repeating: 0, count: 4096)
        guard fgets(&text, Int32(text.count), stream) != nil else { return nil }
        let bytes = text.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func become(_ words: [String], _ call: (uid_t) -> Int32) -> String {
        guard let uid = words.last.flatMap({ uid_t($0) }), call(uid) == 0 else { return "refused" }
        return "uid \(getuid()) \(geteuid())"
    }

    private static func closeAll(beginning turn: Int) {
        kept.withLock { kept in
            // Nothing that allocates a descriptor is between the two.
            kept = []
            closeFrom(3)
            kept = (0..<36).compactMap {
                Held.make(Held.Kind.allCases[($0 + turn) % Held.Kind.allCases.count])
            }
        }
    }

    private static func check() -> String {
        kept.withLock { kept in
            let changed = kept.compactMap(\.change)
            return changed.isEmpty ? "intact \(kept.count)" : changed.joined(separator: "; ")
        }
    }

    // The child's view of them, as it is right after the fork.
    private static func inChild() -> String {
        let child = forkChild(0)
        defer {
            kill(child, SIGKILL)
            waitpid(child, nil, 0)
        }
        return kept.withLock { kept in
            let lost = kept.flatMap(\.numbers).filter { number in
                (try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/\(child)/fd/\(number)"))
                    == nil
            }
            return lost.isEmpty ? "intact \(kept.count)" : "the child has lost \(lost)"
        }
    }
}

/// One thing that the host has opened, and what it should still be.
private struct Held {
    enum Kind: CaseIterable { case stream, datagrams, pipe, file, events, listener }

    let kind: Kind
    let numbers: [Int32]
    private let identities: [[UInt64]]
    /// A request: an agent that takes the descriptor for a client's would obey it.
    private static let text = """
        {"jsonrpc":"2.0","id":1,"method":"set","params":{"path":"photos.items[0].size","value":"77"}}

        """

    static func make(_ kind: Kind) -> Held? {
        var ends: [Int32] = [-1, -1]
        switch kind {
        case .stream: socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        case .datagrams: socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0, &ends)
        case .pipe: _ = Glibc.pipe(&ends)
        case .events: ends = [makeEvents(7, 0)]
        case .listener:
            ends = [socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)]
            listen(ends[0], 4)
        case .file:
            var template = Array("/tmp/telltale-closing.XXXXXX".utf8CString)
            ends = [mkstemp(&template)]
            unlink(template)
            write(ends[0], text, text.utf8.count)
        }
        for end in ends where kind != .file {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
        }
        // Data of the host is in transit, which no other reader may take.
        switch kind {
        case .stream, .datagrams, .pipe: write(ends[1], text, text.utf8.count)
        default: break
        }
        guard !ends.contains(where: { $0 < 3 }) else { return nil }
        return Held(kind: kind, numbers: ends, identities: ends.map(identity))
    }

    private static func identity(_ number: Int32) -> [UInt64] {
        var facts = stat()
        guard fstat(number, &facts) == 0 else { return [] }
        return [UInt64(facts.st_dev), UInt64(facts.st_ino)]
    }

    /// The change since the start; `nil` for none.
    var change: String? {
        for (number, known) in zip(numbers, identities) where Self.identity(number) != known {
            return "\(kind) \(number) is closed"
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        func received(_ number: Int32, _ flags: Int32) -> String {
            let count = recv(number, &buffer, buffer.count, flags)
            return count < 0 ? "nothing" : String(decoding: buffer[..<count], as: UTF8.self)
        }
        let peek = Int32(MSG_PEEK)
        switch kind {
        case .stream, .datagrams:
            let there = received(numbers[0], peek)
            if there != Self.text { return "\(kind) \(numbers[0]) holds '\(there)'" }
            let back = received(numbers[1], peek)
            if back != "nothing" { return "\(kind) \(numbers[1]) was sent '\(back)'" }
            if kind == .datagrams {
                // A second packet, even an empty one, follows the first.
                _ = received(numbers[0], 0)
                let next = received(numbers[0], peek)
                write(numbers[1], Self.text, Self.text.utf8.count)
                if next != "nothing" { return "datagrams \(numbers[0]) got another '\(next)'" }
            }
        case .pipe:
            var waiting: Int32 = 0
            _ = ioctl(numbers[0], UInt(FIONREAD), &waiting)
            if Int(waiting) != Self.text.utf8.count {
                return "pipe \(numbers[0]) holds \(waiting) bytes"
            }
        case .file:
            let count = pread(numbers[0], &buffer, buffer.count, 0)
            let there = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
            let position = lseek(numbers[0], 0, SEEK_CUR)
            if there != Self.text || position != Self.text.utf8.count {
                return "file \(numbers[0]) holds '\(there)' and is at \(position)"
            }
        case .events:
            var value: UInt64 = 0
            guard read(numbers[0], &value, 8) == 8, value == 7 else {
                return "events \(numbers[0]) counts \(value)"
            }
            write(numbers[0], &value, 8)
        case .listener:
            var listens: Int32 = 0
            var size = socklen_t(4)
            getsockopt(numbers[0], SOL_SOCKET, SO_ACCEPTCONN, &listens, &size)
            if listens == 0 { return "listener \(numbers[0]) does not listen" }
        }
        return nil
    }
}
