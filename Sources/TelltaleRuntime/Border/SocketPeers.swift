#if TELLTALE_AGENT
import CTelltaleSystem
import Glibc
import TelltalePicture
import TelltaleSystem

/// Finds the sockets at the other ends of connections within this machine.
///
/// A TCP socket is found in `/proc/self/net/tcp` and `tcp6` by its two addresses, a Unix socket by the kernel's
/// socket monitoring (sock_diag(7)).
struct SocketPeers {
    /// The size of the kernel's lists that is read: some 13,000 connections each.
    private static let mostBytes = 2 << 20

    /// The inodes of connected sockets, by their own address and the other's.
    private var connections: [String: UInt64]?

    /// Returns the inode of the other end; `nil` if it is on another machine or unknown.
    mutating func peer(of socket: BorderFacts.Descriptor) -> UInt64? {
        if socket.name.hasPrefix("tcp ") {
            let words = socket.name.split(separator: " ").map(String.init)
            guard words.count == 4, words[2] == "-" else { return nil }
            return all()["\(Self.unmapped(words[3])) - \(Self.unmapped(words[1]))"]
        }
        // A filter from before the agent's start may end the process for a call that it doesn't expect.
        guard socket.name.hasPrefix("unix "), !SeccompFilters.areAny else { return nil }
        let peer = ctelltale_unix_peer(socket.file.inode)
        return peer == 0 ? nil : peer
    }

    private mutating func all() -> [String: UInt64] {
        if let connections { return connections }
        var found: [String: UInt64] = [:]
        for name in ["tcp", "tcp6"] {
            let text = SmallFile.text(of: "/proc/self/net/\(name)", limit: Self.mostBytes) ?? ""
            for line in text.split(separator: "\n").dropFirst() {
                guard let (ends, inode) = Self.connection(line) else { continue }
                found[ends] = inode
            }
        }
        connections = found
        return found
    }

    /// `0: 0100007F:1F90 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 4242 …`
    static func connection(_ line: Substring) -> (ends: String, inode: UInt64)? {
        let fields = line.split(separator: " ", maxSplits: 10)
        guard fields.count >= 10, let inode = UInt64(fields[9]), inode != 0,
            let own = address(fields[1]), let other = address(fields[2])
        else { return nil }
        return ("\(own) - \(other)", inode)
    }

    /// Returns `127.0.0.1:8080` for `0100007F:1F90`: the words of the address as the kernel has them in memory,
    /// and the port.
    private static func address(_ text: Substring) -> String? {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let port = UInt16(parts[1], radix: 16),
            [8, 32].contains(parts[0].utf8.count)
        else { return nil }
        var words: [UInt32] = []
        var rest = parts[0]
        while !rest.isEmpty {
            guard let word = UInt32(rest.prefix(8), radix: 16) else { return nil }
            words.append(word)
            rest = rest.dropFirst(8)
        }
        return words.withUnsafeBytes { bytes in
            let family = words.count == 1 ? AF_INET : AF_INET6
            return bytes.baseAddress.map {
                unmapped("\(OpenDescriptor.text(family, $0)):\(port)")
            }
        }
    }

    /// Returns `127.0.0.1:8080` for `[::ffff:127.0.0.1]:8080`: one connection has an end of each kind.
    static func unmapped(_ address: String) -> String {
        let prefix = "[::ffff:"
        guard address.hasPrefix(prefix) else { return address }
        return address.dropFirst(prefix.count).filter { $0 != "]" }
    }
}
#endif
