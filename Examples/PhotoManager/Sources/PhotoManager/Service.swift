import Dispatch
import Foundation

/// The service: its parts, and what happens from start to end.
@MainActor
final class Service {
    let options: Options
    let manager = PhotoManager.shared
    let library: Library
    let cache: ThumbnailCache
    let downloader: PhotoDownloader
    let store: PhotoStore
    let wall = PhotoWall()
    let started = ContinuousClock.now

    /// - Parameters:
    ///   - options: The command line.
    ///   - token: Sent with every download; empty for none.
    init(options: Options, token: String) {
        self.options = options
        library = Library(name: "Googly Puff", sources: options.sources, token: token)
        cache = ThumbnailCache(capacity: 1_000)
        downloader = PhotoDownloader(library: library, cache: cache)
        store = PhotoStore(library: library, downloader: downloader)
        manager.authorize(with: token)
    }

    /// Downloads what the sources have.
    func begin() {
        manager.updatePrompt(after: options.promptInterval)
        guard !options.sources.isEmpty else {
            log("no photos yet; give some with --photos URL")
            return
        }
        Task {
            do {
                try await refresh()
            } catch {
                log("\(error)")
            }
        }
    }

    /// Downloads what the sources have and the wall has not.
    ///
    /// - Returns: How many photos are on their way.
    /// - Throws: ``PhotoFailure`` when a listing can't be read.
    @discardableResult
    func refresh() async throws(PhotoFailure) -> Int {
        let requests = try await store.refresh()
        download(requests)
        return requests.count
    }

    /// Adds photos to the wall.
    ///
    /// - Parameter requests: The photos.
    func download(_ requests: [PhotoRequest]) {
        manager.download(requests, with: downloader) { failures in
            self.wall.update(from: self.manager, failures: failures)
            self.manager.updatePrompt(after: self.options.promptInterval)
            self.log("\(requests.count - failures) photos downloaded, \(failures) failed")
        }
    }

    private func log(_ message: String) {
        FileHandle.standardError.write(Data("photo-manager: \(message)\n".utf8))
    }
}
