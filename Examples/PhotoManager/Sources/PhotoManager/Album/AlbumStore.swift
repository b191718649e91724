/// The photos sorted into albums. An actor; ``PhotoManager`` has a queue, whose barrier can be
/// forgotten.
actor AlbumStore {
    /// Titles by the name of the album.
    private(set) var albums: [String: [String]] = [:]
    private(set) var sortings = 0

    /// The names of all albums, in their order.
    var names: [String] { albums.keys.sorted() }

    /// Sorts photos: by their number of faces, and failed ones by themselves.
    ///
    /// - Parameter photos: All photos; the earlier result is dropped.
    func sort(_ photos: [AlbumDocument.Entry]) {
        albums = Dictionary(grouping: photos, by: Self.album).mapValues { $0.map(\.title) }
        sortings += 1
    }

    /// The titles of an album.
    ///
    /// - Parameter name: The album's.
    /// - Returns: Nothing for an album that isn't there.
    func titles(of name: String) -> [String] { albums[name] ?? [] }

    private static func album(of photo: AlbumDocument.Entry) -> String {
        switch (photo.state, photo.faces) {
        case ("failed", _): "Failed"
        case (_, nil): "Everything"
        case (_, 0?): "Without faces"
        case (_, 1?): "Portraits"
        default: "Groups"
        }
    }
}
