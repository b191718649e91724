#if TELLTALE_AGENT
import CTelltaleSystem
import Glibc
import TelltaleSystem

/// The object files of the loaded images, opened on demand.
///
/// Used by one thread at a time, which makes it Sendable: ``Symbolicator`` passes it to the worker that has
/// its turn.
final class ObjectFiles: @unchecked Sendable {
    /// The maximum number of open files. Each is mapped, or takes a descriptor of the host; a separate debug
    /// file takes a descriptor.
    static let maximumOpen = 32
    /// The maximum memory of all files together. Beyond it, the least recently used ones are closed.
    static let maximumBytes = 16 << 20
    /// The maximum memory of one file for lines and inlined calls.
    private static let maximumDetails = 6 << 20

    private struct Opened {
        /// Nil if the file could not be opened.
        var object: OpaquePointer?
        var problem: String?
        /// True if opening failed for lack of a descriptor, and is to be retried.
        var isPassing = false
        var lastUse: UInt64
    }

    private var opened: [UInt64: Opened] = [:]
    private var uses: UInt64 = 0
    /// The image that was used last, by its serial number: the only one whose file has resident pages.
    private var last: UInt64?
    private let frames: UnsafeMutableBufferPointer<CTelltaleFoundFrame>
    private let text: UnsafeMutableBufferPointer<CChar>

    init() {
        frames = .allocate(capacity: 64)
        frames.initialize(repeating: CTelltaleFoundFrame())
        text = .allocate(capacity: 65_536)
        text.initialize(repeating: 0)
    }

    deinit {
        for entry in opened.values { entry.object.map(ctelltale_object_close) }
        frames.deallocate()
        text.deallocate()
    }

    var bytes: Int {
        opened.values.reduce(0) { $0 &+ ($1.object.map { ctelltale_object_bytes($0) } ?? 0) }
    }

    /// The data that is unavailable, one sentence per file.
    var problems: [String] { opened.values.compactMap(\.problem).sorted() }

    /// One function found at an address. The last function of an address is the one that contains the code.
    struct Found {
        var name: String
        /// True if the name is from the source, and not a symbol.
        var isPlainName: Bool
        var file: String?
        var line: Int?
        var isInlined: Bool
        var offset: UInt
    }

    /// The functions at `address` (in memory) of `image`, innermost first; empty if nothing is known.
    func find(_ address: UInt, in image: LoadedImages.Image) -> [Found] {
        guard let object = object(of: image), let base = text.baseAddress,
            let found = frames.baseAddress
        else { return [] }
        let count = ctelltale_object_find(
            object, UInt64(address &- image.bias), true, found, frames.count, base, text.count)
        // The memory of open files grows further, by one compilation unit at a time.
        if uses & 15 == 0 { makeRoom(keeping: image.serial) }
        return frames.prefix(count).map { frame in
            Found(
                name: string(frame.name, frame.name_length),
                isPlainName: frame.is_plain_name,
                file: frame.file_length > 0 ? string(frame.file, frame.file_length) : nil,
                line: frame.line > 0 ? Int(frame.line) : nil, isInlined: frame.is_inlined,
                offset: UInt(frame.symbol_offset))
        }
    }

    /// The maximum number of variables listed per image.
    private static let mostVariables = 16_384

    /// The symbols of Swift variables in `image`, and of the once-tokens of lazy ones, with their addresses
    /// in memory.
    func variables(in image: LoadedImages.Image) -> [(symbol: String, address: UInt)] {
        listed(in: image) { object, cursor, part, count, text, size in
            ctelltale_object_variables(object, cursor, part, count, text, size)
        }
    }

    /// The functions in `image` whose symbols begin with a prefix, and the records of async functions, with
    /// their addresses in memory.
    func functions(
        beginning prefix: String, in image: LoadedImages.Image
    ) -> [(symbol: String, address: UInt)] {
        listed(in: image) { object, cursor, part, count, text, size in
            ctelltale_object_functions(object, prefix, cursor, part, count, text, size)
        }
    }

    /// The declaration, in its type's debug information, of the method whose code begins at `address` (in
    /// memory); nil if there is none.
    func declaration(
        of address: UInt, in image: LoadedImages.Image
    ) -> (parameters: Int, isOptimised: Bool)? {
        var found = CTelltaleDeclaration()
        guard let object = object(of: image),
            ctelltale_object_declaration(object, UInt64(address &- image.bias), &found)
        else { return nil }
        return (Int(found.parameters), found.is_optimised)
    }

    private typealias Listing = (
        OpaquePointer, UnsafeMutablePointer<UInt64>, UnsafeMutablePointer<CTelltaleVariable>, Int,
        UnsafeMutablePointer<CChar>, Int
    ) -> Int

    private func listed(
        in image: LoadedImages.Image, _ list: Listing
    ) -> [(symbol: String, address: UInt)] {
        guard let object = object(of: image), let base = text.baseAddress else { return [] }
        var all: [(symbol: String, address: UInt)] = []
        var cursor: UInt64 = 0
        withUnsafeTemporaryAllocation(of: CTelltaleVariable.self, capacity: 256) { part in
            guard let start = part.baseAddress else { return }
            while all.count < Self.mostVariables {
                let count = list(object, &cursor, start, part.count, base, text.count)
                guard count > 0 else { return }
                for variable in part.prefix(count) {
                    let address = UInt(variable.address) &+ image.bias
                    all.append((string(variable.name, variable.name_length), address))
                }
            }
        }
        return all
    }

    private func string(_ start: UInt32, _ length: UInt32) -> String {
        let end = Int(start) + Int(length)
        guard end <= text.count else { return "" }
        return text[Int(start)..<end].withContiguousStorageIfAvailable {
            $0.withMemoryRebound(to: UInt8.self) { String(decoding: $0, as: UTF8.self) }
        } ?? ""
    }

    private func object(of image: LoadedImages.Image) -> OpaquePointer? {
        uses &+= 1
        if let last, last != image.serial { opened[last]?.object.map(ctelltale_object_rest) }
        last = image.serial
        if let known = opened[image.serial], !known.isPassing {
            if known.object.map({ ctelltale_object_is_open($0) }) ?? true {
                opened[image.serial]?.lastUse = uses
                return known.object
            }
            // The host has closed the descriptor; the file is opened again.
            known.object.map(ctelltale_object_close)
            opened[image.serial] = nil
        }
        if opened.count >= 512 { opened = opened.filter { $0.value.object != nil } }
        makeRoom()
        var problem = CTelltaleObjectFine
        var isWanting = false
        func open() -> OpaquePointer? {
            let object = Self.open(image, &problem)
            isWanting =
                object == nil && problem == CTelltaleObjectUnreadable
                && (errno == EMFILE || errno == ENFILE)
            return object
        }
        var object = DescriptorReserve.shared.apart(open)
        // There may be no room for a mapping (`ulimit -v`). The file stays open then.
        if object == nil, problem == CTelltaleObjectNoMemory {
            object = DescriptorReserve.shared.makingRoom(for: 1, open)
        }
        let sentence =
            isWanting
            ? "names not available: there is no descriptor for \(image.path)"
            : Self.sentence(on: image, object, problem)
        opened[image.serial] = Opened(
            object: object, problem: sentence, isPassing: isWanting, lastUse: uses)
        return object
    }

    private static func open(
        _ image: LoadedImages.Image, _ problem: inout CTelltaleObjectProblem
    ) -> OpaquePointer? {
        if image.isVDSO {
            return ctelltale_object_copy(
                image.low, Int(image.high &- image.low), maximumDetails, &problem)
        }
        // The program's own file, even if another file is at its path by now.
        let path = image.isMain ? "/proc/thread-self/exe" : image.path
        return image.buildID.withUnsafeBufferPointer {
            ctelltale_object_open(
                path, $0.baseAddress, $0.count, image.low, maximumDetails, &problem)
        }
    }

    private static func sentence(
        on image: LoadedImages.Image, _ object: OpaquePointer?,
        _ problem: CTelltaleObjectProblem
    ) -> String? {
        if let object {
            let isCompressed = ctelltale_object_lines(object) == CTelltaleLinesCompressed
            return isCompressed
                ? "lines not available: the debug data of \(image.path) is compressed" : nil
        }
        switch problem {
        case CTelltaleObjectReplaced:
            return "names not available: \(image.path) was replaced since it was loaded"
        case CTelltaleObjectMalformed:
            return "names not available: \(image.path) is not an object file of this machine"
        case CTelltaleObjectNoMemory: return "names not available: no memory for \(image.path)"
        default: return "names not available: \(image.path) can't be read"
        }
    }

    /// Closes the files of images that are no longer loaded.
    func keep(only serials: Set<UInt64>) {
        for (serial, entry) in opened where !serials.contains(serial) {
            entry.object.map(ctelltale_object_close)
            opened[serial] = nil
        }
    }

    private func makeRoom(keeping kept: UInt64? = nil) {
        var total = bytes
        var open = opened.values.filter { $0.object != nil }.count
        while total > Self.maximumBytes || open > Self.maximumOpen,
            let oldest = opened.filter({ $0.value.object != nil && $0.key != kept })
                .min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            if let object = oldest.value.object {
                total &-= ctelltale_object_bytes(object)
                ctelltale_object_close(object)
                open -= 1
            }
            opened[oldest.key] = nil
        }
    }
}
#endif
