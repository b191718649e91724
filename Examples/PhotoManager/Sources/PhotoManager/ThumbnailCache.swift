import Foundation
import Imaging

/// A small picture of a photo, as a PNG file.
struct Thumbnail: Sendable, Equatable {
    var size: PixelSize
    var png: Data
}

/// The thumbnails that were made, by the URL of their photo. A full cache forgets the oldest.
final class ThumbnailCache: @unchecked Sendable {  // `lock` guards every `var`
    let capacity: Int
    private let lock = NSLock()
    private var thumbnails: [String: Thumbnail] = [:]
    private var oldestFirst: [String] = []
    private var hits = 0
    private var misses = 0

    /// - Parameter capacity: How many thumbnails are kept.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Runs `body` while no other thread uses the cache.
    ///
    /// - Parameter body: Must not use the cache.
    /// - Returns: What `body` returns.
    func withLock<Result>(_ body: () -> Result) -> Result {
        lock.withLock(body)
    }

    /// The thumbnail of a photo, where it is still kept.
    ///
    /// - Parameter url: The photo's URL.
    /// - Returns: The thumbnail; nil counts as a miss.
    func thumbnail(for url: URL) -> Thumbnail? {
        withLock {
            guard let thumbnail = thumbnails[url.absoluteString] else {
                misses += 1
                return nil
            }
            hits += 1
            return thumbnail
        }
    }

    /// Keeps a thumbnail.
    ///
    /// - Parameters:
    ///   - thumbnail: The thumbnail.
    ///   - url: The photo's URL.
    func insert(_ thumbnail: Thumbnail, for url: URL) {
        withLock {
            let key = url.absoluteString
            if thumbnails.updateValue(thumbnail, forKey: key) == nil { oldestFirst.append(key) }
            while oldestFirst.count > capacity {
                thumbnails[oldestFirst.removeFirst()] = nil
            }
        }
    }
}
