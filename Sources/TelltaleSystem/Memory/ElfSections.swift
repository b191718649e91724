#if TELLTALE_COMPILED
import Glibc

/// The names of an ELF executable's sections, as far as they tell that it was written in Swift.
package enum ElfSections {
    /// Returns whether the 64-bit ELF file at `path` has a section of Swift's metadata.
    ///
    /// Three short reads of the headers, no matter how large the file is. False for anything that isn't
    /// such a file. Sections are read and not segments, since only they have names; `strip` keeps
    /// those of the metadata.
    package static func hasSwiftMetadata(_ path: String) -> Bool {
        let raw = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard raw >= 0 else { return false }
        let file = FileDescriptor(taking: raw)
        guard let header = bytes(64, at: 0, of: file.raw),
            header.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1])
        else { return false }
        let table = integer(8, at: 40, in: header)
        let entrySize = integer(2, at: 58, in: header)
        let count = integer(2, at: 60, in: header)
        let namesIndex = integer(2, at: 62, in: header)
        guard entrySize == 64, namesIndex < count, table <= 1 << 40,
            let sections = bytes(Int(count * 64), at: table, of: file.raw)
        else { return false }
        let names = Int(namesIndex * 64)
        let offset = integer(8, at: names + 24, in: sections)
        let size = integer(8, at: names + 32, in: sections)
        guard offset <= 1 << 40, size <= 1 << 16,
            let text = bytes(Int(size), at: offset, of: file.raw)
        else { return false }
        return String(decoding: text, as: UTF8.self).contains("swift5_")
    }

    private static func bytes(_ count: Int, at offset: UInt64, of file: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = bytes.withUnsafeMutableBytes {
            pread(file, $0.baseAddress, count, off_t(clamping: offset))
        }
        return read == count ? bytes : nil
    }

    // Little endian, as every machine that Swift runs on.
    private static func integer(_ size: Int, at offset: Int, in bytes: [UInt8]) -> UInt64 {
        guard offset >= 0, offset + size <= bytes.count else { return 0 }
        return bytes[offset..<(offset + size)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
#endif
