#if TELLTALE_COMPILED
import Glibc

/// A folder of our own under `/tmp`, mode 0700, removed with this object.
///
/// Not under `TMPDIR`: a socket's path has room for 107 bytes, and that folder's name may be long.
package final class TemporaryFolder: Sendable {
    /// Where it is.
    package let path: String

    /// Makes the folder (`mkdtemp`), whose name begins with `name`.
    package init(_ name: String) throws(SystemError) {
        let template = "/tmp/\(name).XXXXXX"
        let made = template.withCString { pointer -> String? in
            guard let copy = strdup(pointer) else { return nil }
            defer { free(copy) }
            return mkdtemp(copy).map { String(cString: $0) }
        }
        guard let made else { throw SystemError("mkdtemp(\(template))") }
        path = made
    }

    /// Removes the files in it and in its folders one level down, then the folders.
    deinit {
        for name in DirectoryListing.names(in: path) {
            let entry = "\(path)/\(name)"
            if unlink(entry) == 0 { continue }
            for inner in DirectoryListing.names(in: entry) { unlink("\(entry)/\(inner)") }
            rmdir(entry)
        }
        rmdir(path)
    }
}
#endif
