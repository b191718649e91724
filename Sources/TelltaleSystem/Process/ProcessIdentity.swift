#if TELLTALE_COMPILED
import CTelltaleSystem
import Glibc

package enum ProcessIdentity {
    /// The process id, in its own pid namespace.
    package static var pid: Int32 { getpid() }

    package static var uid: UInt32 { geteuid() }

    /// The cores of the machine that are online; a control group may allow fewer.
    package static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// The build id of the executable, hexadecimal; empty where it has none.
    package static var buildID: String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            let count = ctelltale_build_id(start, buffer.count)
            return buffer.prefix(count).map {
                String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
            }.joined()
        }
    }

    /// A variable of the environment, as it was set; `nil` if it is not set, and in a program with
    /// more rights than the user who set it.
    package static func environment(_ name: String) -> String? {
        isPrivileged ? nil : setVariable(name)
    }

    /// Indicates that the program is setuid or setgid, or its file has capabilities (`AT_SECURE`):
    /// the user who starts it could otherwise choose by the environment where it writes.
    package static var isPrivileged: Bool { ctelltale_is_privileged() }

    /// A variable of an untrusted environment; only to be reported.
    package static func setVariable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}

/// The names of users, from `/etc/passwd` alone: a static executable can't load the modules by which
/// glibc's `getpwuid` asks other sources.
package enum UserNames {
    private static let file = "/etc/passwd"

    /// The name of the user with `uid`; `nil` if the file has none.
    package static func name(of uid: UInt32) -> String? {
        SmallFile.text(of: file, limit: 1 << 20).flatMap { name(of: uid, in: $0) }
    }

    /// The name of the user with `uid` in the text of a passwd file.
    package static func name(of uid: UInt32, in text: String) -> String? {
        fields(in: text) { UInt32($0[2]) == uid }.map { String($0[0]) }
    }

    /// `uid 1000 (app)`, or without the name where the file has none.
    package static func label(_ uid: UInt32) -> String {
        "uid \(uid)" + (name(of: uid).map { " (\($0))" } ?? "")
    }

    /// The number of the user with this name; `nil` if the file has none.
    package static func uid(of name: String) -> UInt32? {
        SmallFile.text(of: file, limit: 1 << 20)
            .flatMap { fields(in: $0) { $0[0] == name } }.flatMap { UInt32($0[2]) }
    }

    private static func fields(
        in text: String, where isMeant: ([Substring]) -> Bool
    ) -> [Substring]? {
        text.split(separator: "\n").lazy
            .map { $0.split(separator: ":", omittingEmptySubsequences: false) }
            .first { $0.count >= 3 && isMeant($0) }
    }
}
#endif
