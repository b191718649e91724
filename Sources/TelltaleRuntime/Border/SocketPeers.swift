#if TELLTALE_AGENT
import CTelltaleSystem
import Glibc
import TelltaleSystem

/// Finds the sockets at the other ends of connections within this machine.
///
/// A TCP socket is found in `/proc/self/net/tcp` and `tcp6` by its two addresses, a Unix socket by the kernel's
/// socket monitoring (sock_diag(7)).
struct SocketPeers {
    /// The size of the kernel's lists that is read: some 13,000 connections each.
    private static let mostBytes = 2 << 20

    /// The inodes of connected sockets by their own address and the other's.
    private var connections: [[String]: UInt64]?

    /// Returns the inode of the other end; `nil` if it is on another machine or unknown.
    mutating func peer(of number: Int32, inode: UInt64) -> UInt64? {
        guard let own = SocketAddress(getsockname, number) else { return nil }
        switch own {
        case .local:
            // A filter from before the agent's start may end the process for a call that it doesn't expect.
            guard !SeccompFilters.areAny else { return nil }
            let peer = ctelltale_unix_peer(inode)
            return peer == 0 ? nil : peer
        case .remote(let own):
            guard case .remote(let other)? = SocketAddress(getpeername, number) else { return nil }
            return all()[[other, own]]
        }
    }

    private mutating func all() -> [[String]: UInt64] {
        if let connections { return connections }
        var found: [[String]: UInt64] = [:]
        for name in ["tcp", "tcp6"] {
            let text = SmallFile.text(of: "/proc/self/net/\(name)", limit: Self.mostBytes) ?? ""
            for line in text.split(separator: "\n").dropFirst() {
                guard let (own, other, inode) = Self.connection(line) else { continue }
                found[[own, other]] = inode
            }
        }
        connections = found
        return found
    }

    /// `0: 0100007F:1F90 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 4242 …`
    static func connection(_ line: Substring) -> (own: String, other: String, inode: UInt64)? {
        let fields = line.split(separator: " ", maxSplits: 10)
        guard fields.count >= 10, let inode = UInt64(fields[9]), inode != 0 else { return nil }
        return (unmapped(fields[1]), unmapped(fields[2]), inode)
    }

    /// An IPv4 address in an IPv6 one is that IPv4 address.
    static func unmapped(_ address: Substring) -> String {
        let prefix = "0000000000000000FFFF0000"
        return String(address.hasPrefix(prefix) ? address.dropFirst(prefix.count) : address)
    }
}

/// An address of a socket.
private enum SocketAddress {
    /// A Unix socket's.
    case local
    /// As the kernel's lists have it: the address's words and the port, hexadecimal.
    case remote(String)

    init?(
        _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32,
        _ number: Int32
    ) {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isThere = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                ask(number, $0, &size) == 0
            }
        }
        guard isThere else { return nil }
        let found = withUnsafeBytes(of: storage) { bytes -> SocketAddress? in
            switch Int32(storage.ss_family) {
            case AF_UNIX: return .local
            case AF_INET:
                let name = bytes.loadUnaligned(as: sockaddr_in.self)
                return .remote(Self.text([name.sin_addr.s_addr], port: name.sin_port))
            case AF_INET6:
                let name = bytes.loadUnaligned(as: sockaddr_in6.self)
                let words = withUnsafeBytes(of: name.sin6_addr) { address in
                    (0..<4).map { address.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
                }
                return .remote(Self.text(words, port: name.sin6_port))
            default: return nil
            }
        }
        guard let found else { return nil }
        self = found
    }

    private static func text(_ words: [UInt32], port: in_port_t) -> String {
        let address = words.map { hexadecimal($0, digits: 8) }.joined()
        let port = hexadecimal(UInt32(UInt16(bigEndian: port)), digits: 4)
        return SocketPeers.unmapped((address + ":" + port)[...])
    }

    private static func hexadecimal(_ number: UInt32, digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
#endif
