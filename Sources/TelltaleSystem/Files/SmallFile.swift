#if TELLTALE_COMPILED
import Glibc

/// Files that are read whole, such as those of `/proc`.
package enum SmallFile {
    /// The bytes of the file at `path`, at most `limit`; `nil` if it can't be read.
    package static func bytes(of path: String, limit: Int = 65_536) -> [UInt8]? {
        DescriptorReserve.shared.retrying { read(path, limit) }
    }

    private static func read(_ path: String, _ limit: Int) -> [UInt8]? {
        let raw = open(path, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { return nil }
        let descriptor = OwnDescriptor(raw)
        defer { descriptor.close() }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(4096, limit))
        while bytes.count < limit {
            let room = min(chunk.count, limit - bytes.count)
            let count = chunk.withUnsafeMutableBytes { buffer in
                // `pread` instead of `read`: if the host has closed the file and reused its number, no
                // bytes of a socket or a pipe are taken.
                retryingInterrupts { pread(raw, buffer.baseAddress, room, off_t(bytes.count)) }
            }
            guard count > 0 else { return count < 0 && bytes.isEmpty ? nil : bytes }
            bytes.append(contentsOf: chunk[..<count])
            // A short read of a /proc file may still be followed by more, so only 0 is its end.
        }
        return bytes
    }

    /// The text that comes through a descriptor until its end, such as a pipe's; at most `limit` bytes.
    package static func streamed(_ descriptor: Int32, limit: Int) -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count < limit {
            let count = chunk.withUnsafeMutableBytes { buffer in
                retryingInterrupts { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
            }
            guard count > 0 else { break }
            bytes.append(contentsOf: chunk[..<min(count, limit - bytes.count)])
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text of the file at `path`; bytes that are not UTF-8 are replaced.
    package static func text(of path: String, limit: Int = 65_536) -> String? {
        bytes(of: path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
    }
}

package enum DirectoryListing {
    /// Returns at most `limit` names in `path`, without `.` and `..`, unordered; none if it can't be read.
    package static func names(in path: String, limit: Int = 65_536) -> [String] {
        DescriptorReserve.shared.retrying { list(path, limit) } ?? []
    }

    private static func list(_ path: String, _ limit: Int) -> [String]? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let own = OwnDescriptor(descriptor)
        guard let directory = fdopendir(descriptor) else {
            own.close()
            return []
        }
        // `closedir` closes the number even if it belongs to another file by now; leaking its memory is the
        // lesser loss.
        defer { if own.isOurs { closedir(directory) } }
        var names: [String] = []
        while names.count < limit, let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(
                    to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)
                ) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
#endif
