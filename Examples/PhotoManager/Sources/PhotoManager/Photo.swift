import Foundation
import Imaging

/// A photo on its way from a URL to the wall.
///
/// Not sendable: a photo that is in ``PhotoManager/items`` belongs to the manager's queue.
final class Photo {
    /// The progress of a photo.
    enum State: Equatable {
        case waiting
        case downloading
        case ready
        case failed(String)
    }

    let id: Int
    var title: String
    let url: URL
    /// The number of downloads begun.
    var attempts = 0
    /// The reason of each failed try.
    var troubles: [String] = []
    var byteCount: Int?
    var size: PixelSize?
    /// The number of faces; `nil` if no search was made.
    var faces: Int?
    var format: ImageFormat?
    var state = State.waiting

    init(id: Int, title: String, url: URL) {
        self.id = id
        self.title = title
        self.url = url
    }

    /// Makes a title of a file's name: `success-kid.jpg` gives "Success Kid".
    ///
    /// - Parameter url: Where the photo is.
    /// - Returns: The title; the whole URL where its path has no last part.
    static func title(of url: URL) -> String {
        let name = url.deletingPathExtension().lastPathComponent
        let words = name.split { $0 == "-" || $0 == "_" || $0 == " " }
        guard name != "/", !words.isEmpty else { return url.absoluteString }
        let small: Set<Substring> = ["a", "at", "of", "the"]
        return words.enumerated().map { position, word in
            position > 0 && small.contains(word)
                ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
        }.joined(separator: " ")
    }
}
