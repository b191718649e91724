import Observation

/// The data of a view, on the main actor: an observer of its properties is told of changes.
@MainActor
@Observable
final class AlbumModel {
    var title = "Googly Puff"
    /// The text in the navigation bar; `nil` for none.
    var prompt: String?
    private(set) var photos: [AlbumDocument.Entry] = []
    private(set) var albums: [String] = []

    /// Shows a document.
    ///
    /// - Parameters:
    ///   - document: The album.
    ///   - albums: The names of the albums.
    func show(_ document: AlbumDocument, albums: [String]) {
        title = document.title
        prompt = document.prompt
        photos = document.photos
        self.albums = albums
    }
}
