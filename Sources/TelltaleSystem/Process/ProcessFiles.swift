#if TELLTALE_COMPILED
import Glibc

/// The kernel's records of a process in `/proc`.
package struct ProcessFiles: Sendable {
    /// The process: a number, or `self`.
    package let process: String

    package init(pid: Int32) { process = String(pid) }
    private init(_ process: String) { self.process = process }

    package static let own = ProcessFiles("self")
    /// Those of the calling thread. They show the process's memory also after its leader has ended.
    package static let thread = ProcessFiles("thread-self")

    /// The fields of `/proc/PID/stat` after the program's name, which may hold anything.
    package struct Stat: Sendable, Equatable {
        /// `R`, `S`, `D`, `T` (stopped), `t` (stopped by a debugger), `Z`…
        package var state: Character
        package var parent: Int32
        /// The controlling terminal, as below `/dev`: `pts/3`; nil if there is none, or it is of another kind.
        package var terminal: String?
        package var userTicks: UInt64
        package var systemTicks: UInt64
        package var threads: Int
        /// The start time, in clock ticks since boot.
        package var startTicks: UInt64
        package var residentPages: UInt64
        /// The status of `wait` once it has ended and its parent has not taken it; 0 where that isn't shown.
        package var exitStatus: Int32

        package init?(parsing text: String) {
            // By bytes: characters cost a client that has just started 20 us (measured).
            let bytes = Array(text.utf8)
            guard let close = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
            // The last field, the exit status, ends with a newline.
            let fields = bytes[(close + 1)...].split { $0 == UInt8(ascii: " ") || $0 == 10 }
            func number(_ index: Int) -> UInt64? {
                UInt64(String(decoding: fields[index], as: UTF8.self))
            }
            guard fields.count >= 22, let state = fields[0].first, let parent = number(1),
                let user = number(11), let system = number(12), let threads = number(17),
                let start = number(19), let resident = number(21)
            else { return nil }
            self.state = Character(Unicode.Scalar(state))
            self.parent = Int32(clamping: parent)
            terminal = number(4).flatMap(Self.terminal)
            self.userTicks = user
            self.systemTicks = system
            self.threads = Int(clamping: threads)
            self.startTicks = start
            self.residentPages = resident
            exitStatus = fields.count > 49 ? Int32(truncatingIfNeeded: number(49) ?? 0) : 0
        }

        // proc(5): bits 31 to 20 and 7 to 0 are the minor number, bits 15 to 8 the major one; the majors are those
        // of the kernel's devices.txt.
        private static func terminal(_ number: UInt64) -> String? {
            let minor = number >> 12 & 0xFFF00 | number & 0xFF
            switch number >> 8 & 0xFFF {
            case 136...143: return "pts/\(minor + ((number >> 8 & 0xFFF) - 136) * 256)"
            case 4: return minor < 64 ? "tty\(minor)" : "ttyS\(minor - 64)"
            default: return nil
            }
        }
    }

    /// The id of the user that logged in, which `sudo` and `su` leave as it is; nil if the system doesn't
    /// keep it.
    package var loginUser: UInt32? {
        let text = SmallFile.text(of: "/proc/\(process)/loginuid")
        // (uid_t)-1 if it was never set.
        return text.flatMap { UInt32($0.prefix { $0.isNumber }) }.flatMap { $0 == .max ? nil : $0 }
    }

    /// The process's `stat`; nil if it has ended.
    package var stat: Stat? {
        SmallFile.text(of: "/proc/\(process)/stat").flatMap(Stat.init(parsing:))
    }

    /// A value of `/proc/PID/status`, such as `TracerPid` or `NSpid`, without the name and spaces.
    package func status(_ name: String) -> String? {
        guard let text = SmallFile.text(of: "/proc/\(process)/status") else { return nil }
        return Self.value(of: name, in: text)
    }

    /// The whole of `/proc/PID/status`, for several values in one read.
    package var statusText: String? { SmallFile.text(of: "/proc/\(process)/status") }

    /// A value out of the text of a `status` file.
    package static func value(of name: String, in text: String) -> String? {
        for line in text.split(separator: "\n") where line.hasPrefix(name) {
            let rest = line.dropFirst(name.count)
            guard rest.first == ":" else { continue }
            return String(rest.dropFirst().drop { $0 == " " || $0 == "\t" })
        }
        return nil
    }

    /// The kernel's name of the process, at most 15 bytes.
    package var name: String? {
        SmallFile.text(of: "/proc/\(process)/comm").map { String($0.prefix { $0 != "\n" }) }
    }

    /// The path of its executable; ` (deleted)` at the end where the file has been replaced.
    package var executable: String? { Self.link("/proc/\(process)/exe") }

    /// The number of open descriptors, if they may be counted.
    package var descriptorCount: Int? {
        let names = DirectoryListing.names(in: "/proc/\(process)/fd")
        return names.isEmpty ? nil : names.count
    }

    /// Returns the kernel's limit for it; `nil` if that can't be read.
    package func limit(_ resource: ResourceLimit.Resource) -> ResourceLimit? {
        SmallFile.text(of: "/proc/\(process)/limits").flatMap {
            ResourceLimit(of: resource, in: $0)
        }
    }

    package var user: UInt32? {
        status("Uid").flatMap { $0.split(whereSeparator: { $0 == "\t" || $0 == " " }).first }
            .flatMap { UInt32($0) }
    }

    /// Seconds since the machine started, of which `startTicks` counts hundredths.
    package static var secondsSinceBoot: Double { Double(ProcessClocks.sinceBoot) / 1e9 }

    /// Clock ticks in a second, the unit of `Stat`.
    package static var ticksPerSecond: Double { Double(max(1, sysconf(Int32(_SC_CLK_TCK)))) }

    /// Bytes in a page of memory.
    package static var pageSize: UInt64 { UInt64(max(1, sysconf(Int32(_SC_PAGESIZE)))) }

    package static func link(_ path: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4097) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink(path, start, 4096)
            guard count > 0 else { return nil }
            return String(
                decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
        }
    }
}

/// The processes of this machine, as far as `/proc` shows them.
package enum ProcessList {
    /// The numbers of all visible processes, in order; none without `/proc`.
    package static func pids() -> [Int32] {
        DirectoryListing.names(in: "/proc").compactMap { Int32($0) }.filter { $0 > 0 }.sorted()
    }

    /// Splits the numbers of a status file's `NSpid`, outermost namespace first.
    package static func namespacePids(_ text: String) -> [Int32] {
        text.split(whereSeparator: { $0 == "\t" || $0 == " " }).compactMap { Int32($0) }
    }
}

/// A limit that the kernel enforces for a process, as in `getrlimit(2)` and `/proc/PID/limits`.
package struct ResourceLimit: Sendable, Equatable {
    /// A resource, by the name that the kernel gives it.
    package enum Resource: String, Sendable {
        case descriptors = "Max open files"
        case processes = "Max processes"
        case addressSpace = "Max address space"
        case data = "Max data size"
        case core = "Max core file size"
        case lockedMemory = "Max locked memory"
    }

    /// The limit in force; `nil` for none.
    package var soft: UInt64?
    /// The limit up to which the process may raise it; `nil` for none.
    package var hard: UInt64?

    init(soft: UInt64?, hard: UInt64?) {
        self.soft = soft
        self.hard = hard
    }

    /// Reads a line out of the text of `/proc/PID/limits`; `nil` if there is none.
    package init?(of resource: Resource, in text: String) {
        let name = resource.rawValue + " "
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else {
            return nil
        }
        let words = line.dropFirst(name.count).split(separator: " ")
        guard words.count >= 2 else { return nil }
        for word in words.prefix(2) where word != "unlimited" && UInt64(word) == nil { return nil }
        self.init(soft: UInt64(words[0]), hard: UInt64(words[1]))
    }
}
#endif
