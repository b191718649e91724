#if TELLTALE_COMPILED
import CTelltaleSystem

import Glibc

/// What proves which process this is.
package enum ProcessIdentity {
    /// The process id, in its own pid namespace.
    package static var pid: Int32 { getpid() }

    /// The user that it acts as.
    package static var uid: UInt32 { geteuid() }

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

    /// A variable of the environment, as it was set; nil where it is not, and in a program that has
    /// rights which who set it has not.
    package static func environment(_ name: String) -> String? {
        isPrivileged ? nil : setVariable(name)
    }

    /// Whether the program is setuid or setgid, or its file has capabilities (`AT_SECURE`): whoever
    /// starts it would otherwise say by the environment where it writes.
    package static var isPrivileged: Bool { ctelltale_is_privileged() }

    /// A variable of the environment, whoever set it; only to be told of.
    package static func setVariable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
#endif
