import Foundation

/// A listening TCP socket on 127.0.0.1, which no other machine on the network can reach.
struct LoopbackListener {
    let descriptor: Int32
    /// The port that it got; the one that was asked for, unless that was 0.
    let port: Int

    /// Listens.
    ///
    /// - Parameter port: 0 for any that is free.
    /// - Throws: ``WebFailure/portInUse(_:)`` or ``WebFailure/noSocket(port:reason:)``.
    init(port: Int) throws(WebFailure) {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw Self.failure(port) }
        // A port of a service that has just ended may be taken again.
        var yes: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(descriptor, address, size) == 0, listen(descriptor, 128) == 0 else {
                    return Int32(-1)
                }
                return getsockname(descriptor, address, &size)
            }
        }
        guard result == 0 else {
            let failure = Self.failure(port)
            close(descriptor)
            throw failure
        }
        self.descriptor = descriptor
        self.port = Int(UInt16(bigEndian: address.sin_port))
    }

    private static func failure(_ port: Int) -> WebFailure {
        let code = errno
        return code == EADDRINUSE
            ? .portInUse(port) : .noSocket(port: port, reason: String(cString: strerror(code)))
    }
}
