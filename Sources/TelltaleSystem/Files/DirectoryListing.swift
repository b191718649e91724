#if TELLTALE_COMPILED
import Glibc

package enum DirectoryListing {
    /// At most `limit` names in `path`, without `.` and `..`, in no order; none where it can't be read.
    package static func names(in path: String, limit: Int = 65_536) -> [String] {
        let descriptor = DescriptorReserve.shared.lend {
            open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        guard descriptor >= 0 else { return [] }
        let own = OwnDescriptor(descriptor)
        guard let directory = fdopendir(descriptor) else {
            own.close()
            return []
        }
        defer {
            // `closedir` closes the number, whosever it is by now; its memory is the lesser loss.
            if own.isOurs { closedir(directory) }
            DescriptorReserve.shared.refill()
        }
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
