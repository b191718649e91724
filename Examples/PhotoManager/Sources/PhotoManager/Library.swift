import Foundation
import Imaging

/// The service's start options. Nothing in it ever changes, so every thread may read it.
final class Library: Sendable {
    let name: String
    let sources: [URL]
    let token: String
    let formats: [String]
    let largestPhoto: Int
    let thumbnailEdge: Int
    let opened: Date

    /// - Parameters:
    ///   - name: What the library is called.
    ///   - sources: Photos, and listings of photos (a URL that ends with a slash).
    ///   - token: The secret that is sent with every download.
    ///   - largestPhoto: Bytes; a longer photo fails and is not decoded.
    ///   - thumbnailEdge: Pixels; the longer edge of every thumbnail.
    init(
        name: String, sources: [URL], token: String, largestPhoto: Int = 32 << 20,
        thumbnailEdge: Int = 64
    ) {
        self.name = name
        self.sources = sources
        self.token = token
        self.largestPhoto = largestPhoto
        self.thumbnailEdge = thumbnailEdge
        formats = ImageFormat.allCases.flatMap(\.fileExtensions)
        opened = Date()
    }

    /// Returns whether a URL names a file of a format that the library takes.
    ///
    /// - Parameter url: The URL of a file.
    /// - Returns: `false` also for a name without an extension.
    func takes(_ url: URL) -> Bool {
        formats.contains(url.pathExtension.lowercased())
    }
}
