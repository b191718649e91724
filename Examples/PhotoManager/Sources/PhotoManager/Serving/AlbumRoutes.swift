import Foundation
import Imaging

/// The handlers of the album's paths. All of them run on the web server's threads.
struct AlbumRoutes: Sendable {
    let manager: PhotoManager
    let thumbnails: ThumbnailCache
    let pictures: PictureCache
    let screen: AlbumScreen

    /// Answers a request.
    ///
    /// - Parameter path: Without its query.
    /// - Returns: A page, a document or a picture; 404 for any other path.
    func respond(to path: String) -> WebResponse {
        let parts = path.split(separator: "/")
        switch (parts.first, parts.count) {
        case (nil, _): return .text(AlbumPage.html, type: "text/html; charset=utf-8")
        case ("album.json", 1): return album()
        case ("photos", 2): return photo(String(parts[1]))
        case ("thumbnails", 2): return thumbnail(String(parts[1]))
        default: return .missing("page '\(path)'")
        }
    }

    /// Reads the photos as every other reader does: behind a barrier it waits.
    private func album() -> WebResponse {
        let header = screen.header
        var document = manager.album(titled: header.title)
        if let prompt = header.prompt { document.prompt = prompt }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(document) else { return .missing("album") }
        return WebResponse(type: "application/json", body: data)
    }

    private func photo(_ number: String) -> WebResponse {
        guard let url = url(of: number), let picture = pictures.picture(for: url),
            let format = ImageFormat(recognising: picture)
        else { return .missing("photo \(number)") }
        return WebResponse(type: "image/\(format.rawValue)", body: picture)
    }

    private func thumbnail(_ number: String) -> WebResponse {
        guard let url = url(of: number), let thumbnail = thumbnails.thumbnail(for: url) else {
            return .missing("thumbnail \(number)")
        }
        return WebResponse(type: "image/png", body: thumbnail.png, mayBeKept: true)
    }

    private func url(of number: String) -> URL? {
        guard let id = Int(number) else { return nil }
        return manager.read { photos in photos.first { $0.id == id }?.url }
    }
}
