#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// Distinguishes an address of code from any other word.
struct CodeAddresses {
    private let images: LoadedImages?

    init() {
        let last = RuntimeCaches.current.codeImages
        let previous = last.withLock { $0 }
        let images = LoadedImages.read(after: previous)
        self.images = images
        // The replaced images are released outside of the lock.
        let released = last.withLock { last in
            defer { last = images ?? last }
            return last
        }
        _ = released
    }

    /// Returns true if `address` is in executable memory.
    func contains(_ address: UInt) -> Bool {
        guard let images, let image = ctelltale_images_holding(images.table, address) else {
            return false
        }
        return ctelltale_image_has_text(image, address)
    }
}
#endif
