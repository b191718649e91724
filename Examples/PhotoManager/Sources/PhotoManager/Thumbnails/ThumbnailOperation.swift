import Foundation
import Imaging

/// Shrinks a picture, once it is decoded, and leaves its thumbnail in the cache.
final class ThumbnailOperation: Operation, @unchecked Sendable {  // all its state is the photo's
    private let photo: PhotoInWork
    private let edge: Int
    private let cache: ThumbnailCache

    /// - Parameters:
    ///   - decoding: What has to be done before; this operation depends on it.
    ///   - edge: Pixels of the thumbnail's longer edge.
    ///   - cache: Where it goes.
    init(after decoding: DecodeOperation, edge: Int, cache: ThumbnailCache) {
        photo = decoding.photo
        self.edge = edge
        self.cache = cache
        super.init()
        name = "shrink \(photo.url.lastPathComponent)"
        addDependency(decoding)
    }

    override func main() {
        guard let image = photo.image.take() else { return }
        do throws(ImageFailure) {
            let thumbnail = try image.resampled(to: image.size.fitting(edge: edge))
            let png = try thumbnail.encoded(as: .png)
            cache.insert(Thumbnail(size: thumbnail.size, png: Data(png)), for: photo.url)
        } catch {
            photo.result = .failure(.notAPicture(photo.url, error))
        }
    }
}
