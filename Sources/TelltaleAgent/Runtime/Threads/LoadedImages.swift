#if TELLTALE_AGENT
import CTelltaleSystem
import Synchronization
import TelltaleSystem

/// What is loaded into this process at one moment: the program, its shared objects, the kernel's vdso.
///
/// Read from the kernel's list of mappings, so that no lock of the loader is taken. It never changes;
/// what it describes may be unloaded at any time, so that an image is read by guarded reads only.
final class LoadedImages: Sendable {
    /// One executable or shared object.
    struct Image: Sendable {
        /// As the kernel shows it; `[vdso]` is one too.
        var path: String
        /// What is added to an address of the file to have it in memory.
        var bias: UInt
        /// All of its loaded segments.
        var low: UInt
        var high: UInt
        var buildID: [UInt8]
        /// Of the file that is mapped: another one may be at its path by now.
        var device: UInt64
        var inode: UInt64
        /// The same for as long as it stays loaded, and never used again.
        var serial: UInt64
        var isMain: Bool
        var isVDSO: Bool
        /// The file has been removed or replaced since.
        var isDeleted: Bool
    }

    // Immutable; the C table counts its owners, of which this is one.
    nonisolated(unsafe) let table: OpaquePointer

    /// The loader's list when this was read last; 0 where it doesn't tell.
    private let mark: Atomic<UInt64>

    private init(table: OpaquePointer, mark: UInt64) {
        self.table = table
        self.mark = Atomic(mark)
    }

    deinit { ctelltale_images_release(table) }

    /// What is loaded now; `previous` itself where nothing has come or gone since.
    ///
    /// - Returns: nil where the kernel doesn't show it.
    static func read(after previous: LoadedImages? = nil) -> LoadedImages? {
        // Before the list is read: what comes in between is found the next time.
        let mark = GuardedReading.during { ctelltale_objects_mark() }
        let began = MonotonicTime.now
        let latest = RuntimeCaches.current.latestImages.withLock { $0 }
        if let latest, mark != 0, latest.mark == mark, began < latest.end { return latest.images }
        guard let images = read(after: previous ?? latest?.images, mark: mark) else { return nil }
        // What was kept is let go outside of the lock.
        _ = RuntimeCaches.current.latestImages.withLock { kept -> Latest? in
            defer {
                kept = Latest(images: images, mark: mark, end: began.advanced(by: lifetime))
            }
            return kept
        }
        return images
    }

    /// What was read last, for all who ask at the same moment.
    struct Latest {
        fileprivate var images: LoadedImages
        fileprivate var mark: UInt64
        fileprivate var end: MonotonicTime
    }

    /// For how long a list serves others too, while the loader has loaded and unloaded nothing: a dump asked
    /// for it fifteen times, each time for 0.6 ms (584 mappings, in a debug build).
    static let lifetime = Duration.milliseconds(100)

    /// The same for what is kept of the loader's own objects, without a call of the kernel where it has loaded
    /// and unloaded nothing since: 3 us, where the list of mappings takes 200. What was mapped by others, and
    /// whether a file was replaced since, isn't looked at then.
    static func loaded(after previous: LoadedImages?) -> LoadedImages? {
        // Before the list is read: what comes in between is found the next time.
        let mark = GuardedReading.during { ctelltale_objects_mark() }
        if let previous, mark != 0, previous.mark.load(ordering: .acquiring) == mark {
            return previous
        }
        return read(after: previous, mark: mark)
    }

    private static func read(after previous: LoadedImages?, mark: UInt64) -> LoadedImages? {
        let read = DescriptorReserve.shared.makingRoom(for: 2) {
            ctelltale_images_read(previous?.table)
        }
        guard let table = read else { return nil }
        if let previous, table == previous.table {
            ctelltale_images_release(table)
            if mark != 0 { previous.mark.store(mark, ordering: .releasing) }
            return previous
        }
        return LoadedImages(table: table, mark: mark)
    }

    /// Whether there are more than are kept.
    var isCut: Bool { ctelltale_images_are_cut(table) }

    var count: Int { ctelltale_images_count(table) }

    /// All of them, ascending by address.
    var all: [Image] {
        (0..<count).compactMap { ctelltale_images_at(table, $0).map { Self.image($0.pointee) } }
    }

    func image(holding address: UInt) -> Image? {
        ctelltale_images_holding(table, address).map { Self.image($0.pointee) }
    }

    private static func image(_ image: CTelltaleImage) -> Image {
        var image = image
        let size = min(image.build_id_size, MemoryLayout.size(ofValue: image.build_id))
        let buildID = withUnsafeBytes(of: &image.build_id) { Array($0.prefix(size)) }
        return Image(
            path: String(cString: image.path), bias: image.bias, low: image.low,
            high: image.high, buildID: buildID, device: image.device, inode: image.inode,
            serial: image.serial, isMain: image.is_main, isVDSO: image.is_vdso,
            isDeleted: image.is_deleted)
    }
}
#endif
