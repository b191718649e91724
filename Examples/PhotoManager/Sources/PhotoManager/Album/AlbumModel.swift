import Observation

/// What a view would show, as the main actor has it: whoever reads it under observation hears of changes.
@MainActor
@Observable
final class AlbumModel {
    var title = "Googly Puff"
    /// What stands in the navigation bar; nil for nothing.
    var prompt: String?
    private(set) var photos: [AlbumDocument.Entry] = []
    private(set) var albums: [String] = []

    /// Takes what is there now.
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
