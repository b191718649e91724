#if TELLTALE_COMPILED
import Glibc

/// A 64-bit ELF file: its sections and its symbols. Little endian, as every machine that Swift runs on.
package final class ElfFile {
    package struct Section: Sendable {
        package var name: String
        package var type: UInt32
        package var offset: UInt64
        package var size: UInt64
        /// The index of the section with the names, for a table of symbols.
        var link: Int
    }

    package struct Symbol: Sendable {
        package var name: String
        package var value: UInt64
        /// False for a name that the file only refers to.
        package var isDefined: Bool
        /// True for code and for variables that are not of one thread alone.
        package var hasAddress: Bool
    }

    private let file: FileDescriptor
    package let sections: [Section]

    /// Opens the file at `path` and reads its headers; `nil` for anything that isn't such a file.
    package init?(_ path: String) {
        let raw = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard raw >= 0 else { return nil }
        file = FileDescriptor(taking: raw)
        guard let sections = Self.sections(of: file.raw) else { return nil }
        self.sections = sections
    }

    private static func sections(of file: Int32) -> [Section]? {
        guard let header = bytes(64, at: 0, of: file),
            header.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1])
        else { return nil }
        let table = integer(8, at: 40, in: header)
        let count = Int(integer(2, at: 60, in: header))
        let namesIndex = Int(integer(2, at: 62, in: header))
        guard integer(2, at: 58, in: header) == 64, namesIndex < count, table <= 1 << 40,
            let headers = bytes(count * 64, at: table, of: file)
        else { return nil }
        let offset = integer(8, at: namesIndex * 64 + 24, in: headers)
        let size = integer(8, at: namesIndex * 64 + 32, in: headers)
        guard offset <= 1 << 40, size <= 1 << 20,
            let names = bytes(Int(size), at: offset, of: file)
        else { return nil }
        return (0..<count).map { index in
            let at = index * 64
            return Section(
                name: text(at: Int(integer(4, at: at, in: headers)), in: names),
                type: UInt32(integer(4, at: at + 4, in: headers)),
                offset: integer(8, at: at + 24, in: headers),
                size: integer(8, at: at + 32, in: headers),
                link: Int(integer(4, at: at + 40, in: headers)))
        }
    }

    /// Returns whether the file at `path` has a section of Swift's metadata.
    ///
    /// Three short reads of the headers, no matter how large the file is. Sections are read and not
    /// segments, since only they have names; `strip` keeps those of the metadata.
    package static func hasSwiftMetadata(_ path: String) -> Bool {
        ElfFile(path)?.sections.contains { $0.name.hasPrefix("swift5_") } ?? false
    }

    /// The contents of a section, at most `limit` bytes; `nil` if it can't be read.
    package func contents(of section: Section, limit: Int = 1 << 30) -> [UInt8]? {
        guard section.offset <= 1 << 40, section.size <= UInt64(limit) else { return nil }
        return Self.bytes(Int(section.size), at: section.offset, of: file.raw)
    }

    /// The symbols that `isWanted` by their names; `nil` for a file without a table of them.
    package func symbols(where isWanted: (UnsafeRawBufferPointer) -> Bool) -> [Symbol]? {
        guard let table = sections.first(where: { $0.type == Self.symbolTable }),
            sections.indices.contains(table.link), let entries = contents(of: table),
            let names = contents(of: sections[table.link])
        else { return nil }
        var found: [Symbol] = []
        names.withUnsafeBytes { names in
            entries.withUnsafeBytes { entries in
                for at in stride(from: 24, to: entries.count - 23, by: 24) {
                    let start = Int(entries.loadUnaligned(fromByteOffset: at, as: UInt32.self))
                    guard start > 0, start < names.count else { continue }
                    let rest = UnsafeRawBufferPointer(rebasing: names[start...])
                    let name = UnsafeRawBufferPointer(rebasing: rest.prefix { $0 != 0 })
                    guard isWanted(name) else { continue }
                    let section = entries.loadUnaligned(fromByteOffset: at + 6, as: UInt16.self)
                    let type = entries[at + 4] & 15
                    found.append(
                        Symbol(
                            name: String(decoding: name, as: UTF8.self),
                            value: entries.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self),
                            isDefined: section != 0, hasAddress: type <= 2))
                }
            }
        }
        return found
    }

    private static let symbolTable: UInt32 = 2

    private static func bytes(_ count: Int, at offset: UInt64, of file: Int32) -> [UInt8]? {
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let start = buffer.baseAddress
            let read = retryingInterrupts { pread(file, start, count, off_t(clamping: offset)) }
            isWhole = read == count
            filled = max(0, read)
        }
        return isWhole ? bytes : nil
    }

    private static func text(at start: Int, in bytes: [UInt8]) -> String {
        guard bytes.indices.contains(start) else { return "" }
        return String(decoding: bytes[start...].prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func integer(_ size: Int, at offset: Int, in bytes: [UInt8]) -> UInt64 {
        guard offset >= 0, offset + size <= bytes.count else { return 0 }
        return bytes[offset..<(offset + size)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
#endif
