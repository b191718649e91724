import Foundation
import Imaging

/// Makes a picture of the bytes that were downloaded.
final class DecodeOperation: Operation, @unchecked Sendable {  // all its state is the photo's
    let photo: PhotoInWork
    private let limit: Int

    /// - Parameters:
    ///   - photo: What to decode.
    ///   - limit: Bytes; a longer photo fails.
    init(_ photo: PhotoInWork, limit: Int) {
        self.photo = photo
        self.limit = limit
        super.init()
        name = "decode \(photo.url.lastPathComponent)"
    }

    override func main() {
        guard let data = photo.data else { return }
        photo.result = Result { () throws(PhotoFailure) in
            guard data.count <= limit else {
                throw .tooLarge(photo.url, byteCount: data.count, limit: limit)
            }
            do throws(ImageFailure) {
                return try decode([UInt8](data))
            } catch {
                throw .notAPicture(photo.url, error)
            }
        }
    }

    private func decode(_ bytes: [UInt8]) throws(ImageFailure) -> DownloadedPhoto {
        guard let format = ImageFormat(recognising: bytes) else {
            throw .unknownFormat(byteCount: bytes.count)
        }
        let image = try Image(decoding: bytes)
        let size = image.size
        photo.image = consume image
        return DownloadedPhoto(byteCount: bytes.count, size: size, format: format)
    }
}
