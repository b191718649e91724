import Foundation
import Synchronization

/// The files of the photos, as they came or with eyes drawn on, for viewers of the album. A full
/// cache drops the oldest.
final class PictureCache: Sendable {
    private struct Contents {
        var pictures: [String: Data] = [:]
        var oldestFirst: [String] = []
        var byteCount = 0
    }

    private let contents = Mutex(Contents())
    private let capacity: Int

    /// - Parameter capacity: Bytes of all pictures together.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The file of a photo, where it is still kept.
    ///
    /// - Parameter url: Where the photo came from.
    /// - Returns: The whole file.
    func picture(for url: URL) -> Data? {
        contents.withLock { $0.pictures[url.absoluteString] }
    }

    /// The number of cached bytes.
    var byteCount: Int { contents.withLock { $0.byteCount } }

    /// Keeps the file of a photo, in the place of an earlier one.
    ///
    /// - Parameters:
    ///   - picture: The file; one that is larger than the whole cache is not kept.
    ///   - url: Where the photo came from.
    func insert(_ picture: Data, for url: URL) {
        let key = url.absoluteString
        contents.withLock { contents in
            let earlier = contents.pictures.updateValue(picture, forKey: key)
            contents.byteCount += picture.count - (earlier?.count ?? 0)
            if earlier == nil { contents.oldestFirst.append(key) }
            while contents.byteCount > capacity, !contents.oldestFirst.isEmpty {
                let oldest = contents.oldestFirst.removeFirst()
                let picture = contents.pictures.removeValue(forKey: oldest)
                contents.byteCount -= picture?.count ?? 0
            }
        }
    }
}
