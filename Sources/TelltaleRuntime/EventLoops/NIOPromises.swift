#if TELLTALE_AGENT
package import TelltalePicture
package import TelltaleSystem

/// The promises of a SwiftNIO loop that are not completed, with the places where they were made. Debug builds of
/// SwiftNIO keep them to name one that is dropped.
///
/// Checked against SwiftNIO 2.100 (`SelectableEventLoop.swift`). If the name or the layout of the table differs,
/// nothing is reported.
package enum NIOPromises {
    private static let table = "_promiseCreationStore"
    /// The maximum number of promises that are looked at.
    package static let most = 4096
    /// The maximum size of a place's file, in bytes.
    private static let longestFile: UInt = 512

    /// Reads the promises that were made by the service's own code.
    ///
    /// - Parameters:
    ///   - stack: The live stack of the loop's thread.
    ///   - deadline: The deadline of the search.
    /// - Returns: The promises, empty if they could not be read; and whether there are more than ``most``.
    package static func pending(
        onStack stack: Range<UInt>, until deadline: MonotonicTime
    ) -> (promises: [EventLoopFacts.Promise], isCut: Bool) {
        let layout = MetadataLayout.known(by: deadline)
        guard layout.has(.types), layout.has(.collections),
            let object = StackObjects.outermost(
                ofClass: NIOTasks.className, on: stack, until: deadline),
            let type = MetadataCheck.classOfObject(at: object, in: .process),
            let field = FieldCache.fields(of: type).first(where: { $0.name == table }),
            case .dictionary(let key, let value) = TypeShape.of(field.type),
            TypeMetadata(key).size == 8, TypeMetadata(value).size == Entry.size,
            let view = ValueView(
                of: field.type, at: object &+ UInt(field.offset), in: .process, isStable: false),
            let storage = HashStorage(view, key: key, value: value)
        else { return ([], false) }
        var found: [EventLoopFacts.Promise] = []
        var left = most
        var isCut = false
        storage.forEach(until: { .now >= deadline }) { _, key, value in
            guard left > 0 else {
                isCut = true
                return false
            }
            left -= 1
            if let id = key.word(), let place = value().flatMap(place) {
                found.append(.init(id: id, place: place))
            }
            return true
        }
        return (found, isCut)
    }

    /// The offsets in an entry: a static string, and the line.
    private enum Entry {
        static let start = 0, count = 8, flags = 16, line = 24, size = 32
    }

    /// `Server.swift:36`; `nil` for a place in a package.
    private static func place(_ entry: ValueView) -> String? {
        guard let start = entry.word(at: Entry.start), let count = entry.word(at: Entry.count),
            // A static string with this flag is a single character.
            let flags = entry.load(UInt8.self, at: Entry.flags), flags & 1 == 0,
            let line = entry.load(Int.self, at: Entry.line), count > 0, count <= longestFile,
            (1...10_000_000).contains(line)
        else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, read in
            let isRead = GuardedMemory.read(
                address: start, into: UnsafeMutableRawBufferPointer(buffer))
            read = isRead ? Int(count) : 0
        }
        // `Module/File.swift`
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: "/")
        guard let file = parts.last, let module = parts.first, parts.count > 1,
            !PackageOrigin.isPackages(file: nil, module: String(module))
        else { return nil }
        return "\(file):\(line)"
    }
}
#endif
