import Foundation

/// The saved album: the data of each photo, as `album.json`.
struct AlbumFile: Sendable {
    let url: URL

    /// Saves the album: beside the file first, so that there is a whole one at every moment.
    ///
    /// - Parameter document: The album.
    func save(_ document: AlbumDocument) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        do {
            try encoder.encode(document).write(to: url, options: .atomic)
            log("\(document.photos.count) photos are saved in \(url.path)")
        } catch {
            log("the album can't be saved in \(url.path): \(error.localizedDescription)")
        }
    }
}
