#if TELLTALE_AGENT
import CTelltaleSystem
import Synchronization
import TelltaleSystem

/// The images loaded into this process at one moment: the program, its shared objects, the kernel's vdso.
///
/// Read from the kernel's list of mappings, so no loader lock is taken. The list is immutable. An image in
/// it may be unloaded at any time, so images are read by guarded reads only.
package final class LoadedImages: Sendable {
    /// One executable or shared object.
    package struct Image: Sendable {
        /// The path as the kernel shows it; `[vdso]` for the vdso.
        package var path: String
        /// The load bias: the difference between a memory address and the address in the file.
        var bias: UInt
        /// The range that all of its loaded segments span.
        package var low: UInt
        package var high: UInt
        var buildID: [UInt8]
        /// The device and the inode of the mapped file. Another file may be at its path by now.
        var device: UInt64
        var inode: UInt64
        /// An identifier that stays the same while the image is loaded, and is never reused.
        var serial: UInt64
        var isMain: Bool
        var isVDSO: Bool
        /// True if the file has been removed or replaced since it was mapped.
        var isDeleted: Bool
    }

    // Immutable. The C table is reference-counted; this object owns one reference.
    package nonisolated(unsafe) let table: OpaquePointer

    /// The mark of the loader's list when this list was last read; 0 if the loader's list can't be read.
    private let mark: Atomic<UInt64>

    private init(table: OpaquePointer, mark: UInt64) {
        self.table = table
        self.mark = Atomic(mark)
    }

    deinit { ctelltale_images_release(table) }

    /// Returns the images loaded now; `previous` itself if nothing has been loaded or unloaded since.
    ///
    /// - Returns: nil if the kernel does not show the mappings.
    package static func read(after previous: LoadedImages? = nil) -> LoadedImages? {
        // Taken before the list is read: a change in between is detected by the next call.
        let mark = GuardedReading.unbuffered { ctelltale_objects_mark() }
        let began = MonotonicTime.now
        let latest = RuntimeCaches.current.latestImages.withLock { $0 }
        if let latest, mark != 0, latest.mark == mark, began < latest.end { return latest.images }
        guard let images = read(after: previous ?? latest?.images, mark: mark) else { return nil }
        // The replaced list is released outside of the lock.
        _ = RuntimeCaches.current.latestImages.withLock { kept -> Latest? in
            defer {
                kept = Latest(images: images, mark: mark, end: began.advanced(by: lifetime))
            }
            return kept
        }
        return images
    }

    /// The latest list, shared by callers that ask at the same moment.
    struct Latest {
        fileprivate var images: LoadedImages
        fileprivate var mark: UInt64
        fileprivate var end: MonotonicTime
    }

    /// The time for which a list is shared while the loader has loaded and unloaded nothing: a dump asks
    /// for it fifteen times, each time for 0.6 ms (584 mappings, in a debug build).
    static let lifetime = Duration.milliseconds(100)

    /// Like ``read(after:)``, for caches about the loader's own objects. Makes no system call if the loader
    /// has loaded and unloaded nothing since `previous`: 3 us, while the list of mappings takes 200. In
    /// that case, mappings made by other code and replaced files are not detected.
    static func loaded(after previous: LoadedImages?) -> LoadedImages? {
        // Taken before the list is read: a change in between is detected by the next call.
        let mark = GuardedReading.unbuffered { ctelltale_objects_mark() }
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

    /// The load bias of the program; `nil` if the kernel does not show the mappings.
    package static var mainBias: UInt? { read()?.all.first(where: \.isMain)?.bias }

    /// True if more images are loaded than the table holds.
    var isCut: Bool { ctelltale_images_are_cut(table) }

    var count: Int { ctelltale_images_count(table) }

    /// All images, ascending by address.
    package var all: [Image] {
        (0..<count).compactMap { ctelltale_images_at(table, $0).map { Self.image($0.pointee) } }
    }

    package func image(holding address: UInt) -> Image? {
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
