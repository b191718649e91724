#if TELLTALE_AGENT
import Glibc

/// The open descriptors of this process, by number; those closed meanwhile are left out.
package struct OpenDescriptors: Sendable {
    package let found: [OpenDescriptor]
    /// The number of further descriptors.
    package let rest: Int

    /// Looks at `limit` of them at most.
    package init(limit: Int) {
        let numbers = Self.numbers
        found = numbers.prefix(limit).compactMap { number in
            ProcessFiles.link("/proc/self/fd/\(number)").map { OpenDescriptor(number, link: $0) }
        }
        rest = max(0, numbers.count - limit)
    }

    /// The number of open descriptors of each kind. Nothing else is asked of them, and beyond the `limit` lowest
    /// numbers they are `further` ones.
    package static func kinds(limit: Int) -> [String: Int] {
        let numbers = Self.numbers
        var counts = numbers.count > limit ? ["further": numbers.count - limit] : [:]
        for number in numbers.prefix(limit) {
            guard let link = ProcessFiles.link("/proc/self/fd/\(number)") else { continue }
            counts[OpenDescriptor.kind(of: link), default: 0] += 1
        }
        return counts
    }

    /// The open descriptors' numbers, in order.
    package static var numbers: [Int32] {
        DirectoryListing.names(in: "/proc/self/fd").compactMap { Int32($0) }.sorted()
    }
}

/// A descriptor of this process, with the kernel's description of it.
package struct OpenDescriptor: Sendable {
    package let number: Int32
    /// `file`, `socket`, `pipe`, `epoll`, `eventfd`, `device` and the like.
    package let kind: String
    /// The file's path, or the socket's ends.
    package let what: String

    fileprivate init(_ number: Int32, link: String) {
        self.number = number
        kind = Self.kind(of: link)
        what =
            kind == "socket" ? Self.ends(of: number) ?? link : link.hasPrefix("/") ? link : ""
    }

    /// The kind by the link in the folder of descriptors.
    fileprivate static func kind(of link: String) -> String {
        if link.hasPrefix("anon_inode:") {
            let name = link.dropFirst("anon_inode:".count).filter { $0 != "[" && $0 != "]" }
            return name == "eventpoll" ? "epoll" : name
        }
        if link.hasPrefix("/") {
            return link.hasPrefix("/dev/")
                ? "device" : link.hasPrefix("/memfd:") ? "memory" : "file"
        }
        return String(link.prefix { $0 != ":" })
    }

    /// `tcp 127.0.0.1:8080 listens`, `tcp 127.0.0.1:8080 - 127.0.0.1:51234`, `unix /run/x.sock listens`.
    private static func ends(of number: Int32) -> String? {
        guard !SeccompFilters.haveGrown, let own = name(number, getsockname) else { return nil }
        var type: Int32 = 0
        var listens: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(number, SOL_SOCKET, SO_TYPE, &type, &size)
        size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size)
        let isStream = type == Int32(SOCK_STREAM.rawValue)
        let family = own.isLocal ? "unix" : isStream ? "tcp" : "udp"
        if listens != 0 { return "\(family) \(own.text) listens" }
        guard let peer = name(number, getpeername) else { return "\(family) \(own.text)" }
        guard own.isLocal else { return "\(family) \(own.text) - \(peer.text)" }
        let path = own.text.isEmpty ? peer.text : own.text
        return path.isEmpty ? "\(family) without a name" : "\(family) \(path)"
    }

    private static func name(
        _ number: Int32,
        _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> (text: String, isLocal: Bool)? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard ask(number, address, &size) == 0 else { return nil }
                switch Int32(address.pointee.sa_family) {
                case AF_UNIX: return (local(address, Int(size)), true)
                case AF_INET:
                    return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { name in
                        var host = name.pointee.sin_addr
                        return (text(AF_INET, &host) + port(name.pointee.sin_port), false)
                    }
                case AF_INET6:
                    return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { name in
                        var host = name.pointee.sin6_addr
                        return (text(AF_INET6, &host) + port(name.pointee.sin6_port), false)
                    }
                default: return nil
                }
            }
        }
    }

    /// A path; an abstract name begins with `@`, as `ss` writes it.
    private static func local(_ address: UnsafeMutablePointer<sockaddr>, _ size: Int) -> String {
        let offset = MemoryLayout<sa_family_t>.size
        guard size > offset else { return "" }
        let bytes = UnsafeRawBufferPointer(start: address, count: size).dropFirst(offset)
        let isAbstract = bytes.first == 0
        let name = isAbstract ? Array(bytes.dropFirst()) : Array(bytes.prefix { $0 != 0 })
        return (isAbstract ? "@" : "") + String(decoding: name, as: UTF8.self)
    }

    /// Returns `127.0.0.1` or `[::1]` for an address in memory, of the family `AF_INET` or `AF_INET6`.
    package static func text(_ family: Int32, _ host: UnsafeRawPointer) -> String {
        let text = numbers(family, host)
        return family == AF_INET6 ? "[\(text)]" : text
    }

    private static func numbers(_ family: Int32, _ host: UnsafeRawPointer) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            guard let start = buffer.baseAddress,
                let text = inet_ntop(family, host, start, socklen_t(buffer.count))
            else { return "?" }
            return String(cString: text)
        }
    }

    private static func port(_ number: in_port_t) -> String { ":\(UInt16(bigEndian: number))" }
}
#endif
