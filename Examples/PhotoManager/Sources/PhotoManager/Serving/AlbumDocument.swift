import Foundation
import Imaging

/// The album as its readers get it: `album.json`.
struct AlbumDocument: Codable, Sendable, Equatable {
    /// A photo of it.
    struct Entry: Codable, Sendable, Equatable {
        var id: Int
        var title: String
        var state: String
        /// The reason that it is missing; `nil` without a failure.
        var failure: String?
        /// The number of downloads begun.
        var attempts: Int
        /// The reason of each failed try.
        var troubles: [String]
        var width: Int?
        var height: Int?
        var bytes: Int?
        /// The number of faces; `nil` if no search was made.
        var faces: Int?
        /// The URL of its picture, once there is one.
        var photo: String?
        var thumbnail: String?
    }

    var title: String
    /// The request to the user.
    var prompt: String?
    var photos: [Entry]
}

extension PhotoManager {
    /// The album as it is now.
    ///
    /// - Parameter title: What it is called.
    /// - Returns: Its photos and the prompt, of one moment.
    func album(titled title: String) -> AlbumDocument {
        readAlbum { photos, prompt in
            AlbumDocument(
                title: title, prompt: prompt, photos: photos.map(AlbumDocument.Entry.init))
        }
    }
}

extension AlbumDocument.Entry {
    /// The data of a photo, read on its queue.
    init(_ photo: Photo) {
        id = photo.id
        title = photo.title
        width = photo.size?.width
        height = photo.size?.height
        bytes = photo.byteCount
        faces = photo.faces
        attempts = photo.attempts
        troubles = photo.troubles
        switch photo.state {
        case .waiting: state = "waiting"
        case .downloading: state = "downloading"
        case .ready:
            state = "ready"
            self.photo = "/photos/\(photo.id)"
            thumbnail = "/thumbnails/\(photo.id)"
        case .failed(let reason):
            state = "failed"
            failure = reason
        }
    }
}
