import Foundation

/// The user's view: the tutorial's collection view, without a screen.
@MainActor
final class PhotoWall {
    private(set) var title = "Googly Puff"
    private(set) var rows: [String] = []
    private(set) var failures = 0
    private(set) var lastUpdate: Date?
    var columns = 4

    init() {}

    /// Shows the manager's photos.
    ///
    /// - Parameters:
    ///   - manager: Where the photos are.
    ///   - failures: How many downloads of the last batch failed.
    func update(from manager: PhotoManager, failures: Int) {
        rows = manager.read { photos in photos.map(\.title) }
        title = "Googly Puff (\(rows.count))"
        self.failures += failures
        lastUpdate = Date()
    }
}
