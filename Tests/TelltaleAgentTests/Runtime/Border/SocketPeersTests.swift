#if TELLTALE_AGENT
import Glibc
import TelltalePicture
@testable import TelltaleRuntime
@testable import TelltaleSystem
import Testing

/// The other ends of sockets of this process, which are in this process too.
struct SocketPeersTests {
    private static func descriptor(_ number: Int32) throws -> BorderFacts.Descriptor {
        let border = BorderReader.read([], until: .now.advanced(by: .seconds(20)))
        return try #require(border.descriptors.first { $0.number == number })
    }

    @Test(
        "a line of the kernel's list has both ends and the inode",
        arguments: [
            (
                "  0: 0100007F:1F90 0200007F:9C40 01 00000000:00000000 00:00000000 00000000 1000 0 42 1",
                "127.0.0.1:8080 - 127.0.0.2:40000"
            ),
            (
                "  1: 0000000000000000FFFF00000100007F:1F90 00000000000000000000000001000000:0050 01 "
                    + "00000000:00000000 00:00000000 00000000 1000 0 42 1",
                "127.0.0.1:8080 - [::1]:80"
            ),
        ])
    func line(_ line: String, _ ends: String) throws {
        let found = try #require(SocketPeers.connection(line[...]))
        #expect(found.ends == ends && found.inode == 42)
    }

    @Test(
        "a line that is something else is none",
        arguments: [
            "", "  sl  local_address rem_address", "0: 01:1 02:2 01 0 0 0 0 0 42 1",
            "0: 0100007F:1F90 0100007F:9C40 06 00000000:00000000 03:00 00000000 0 0 0 3",
        ])
    func noLine(_ line: String) { #expect(SocketPeers.connection(line[...]) == nil) }

    @Test("a Unix pair's ends are each other's")
    func unixPair() throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        try #require(!SeccompFilters.areAny, "the other end isn't asked for under a filter")
        var peers = SocketPeers()
        let (one, other) = (try Self.descriptor(ends[0]), try Self.descriptor(ends[1]))
        #expect(peers.peer(of: one) == other.file.inode)
        #expect(peers.peer(of: other) == one.file.inode)
    }

    @Test("the ends of a TCP connection are each other's, also where one is an IPv6 socket")
    func loopback() throws {
        let listener = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var name = sockaddr_in6()
        name.sin6_family = sa_family_t(AF_INET6)
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let isListening = withUnsafeMutablePointer(to: &name) { name in
            name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 4) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        try #require(isListening, "there is no IPv6 here")
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        target.sin_port = name.sin6_port
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(client) }
        let isConnected = withUnsafePointer(to: &target) { target in
            target.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isConnected)
        let accepted = accept(listener, nil, nil)
        defer { close(accepted) }
        var peers = SocketPeers()
        let (one, other) = (try Self.descriptor(client), try Self.descriptor(accepted))
        #expect(peers.peer(of: one) == other.file.inode)
        #expect(peers.peer(of: other) == one.file.inode)
    }

    @Test("descriptors beyond the limit are counted as further ones")
    func further() {
        let all = OpenDescriptors.kinds(limit: 100_000)
        #expect(all["further"] == nil)
        #expect(OpenDescriptors.kinds(limit: 1)["further"] ?? 0 > 0)
    }
}
#endif
