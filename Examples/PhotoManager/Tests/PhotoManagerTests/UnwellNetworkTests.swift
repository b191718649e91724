import Foundation
import Imaging
import Testing

@testable import photo_manager

#if HAS_MICROHTTPD
/// Downloads through a network that delays, cuts and garbles: each failure is said on its photo, and the rest goes
/// on.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct UnwellNetworkTests {
    private static let moods: [String: [UnwellNetwork.Mood]] = [
        "late.png": [.delays], "half.png": [.cuts], "nonsense.png": [.garblesHead],
        "noise.png": [.garblesBody], "nothing.png": [.isSilent], "hung-up.png": [.resets],
        "better-then.png": [.cuts, .resets, .passes],
    ]

    /// The final failure of each, and the number of tries; no failure for a photo that is there.
    private static let expected: [String: (trouble: String?, attempts: Int)] = [
        "first.png": (nil, 1), "last.png": (nil, 1), "late.png": (nil, 1),
        "better-then.png": (nil, 3), "half.png": ("transfer closed", 3),
        "nonsense.png": ("can't download", 3), "noise.png": ("of a damaged png file", 1),
        "nothing.png": ("it took too long", 3), "hung-up.png": ("reset by peer", 3),
    ]

    @Test(arguments: [DownloadWay.notify, .tasks, .items])
    func failuresAreSaidAndTheRestGoesOn(way: DownloadWay) async throws {
        let server = try UnwellServer()
        let port = try #require(try server.url("").port)
        let network = try UnwellNetwork(to: port, moods: Self.moods)
        let library = Library(name: "Test", sources: [], token: "")
        let cache = ThumbnailCache(capacity: 100)
        let downloader = PhotoDownloader(
            library: library, thumbnails: ThumbnailMaker(library: library, cache: cache),
            patience: PhotoFetcher.Patience(timeout: 2, retries: 2, pause: 0.01))
        let manager = PhotoManager()
        // Items cancel every other one of the second half: those that are well come first there.
        let names =
            ["first.png", "late.png", "better-then.png", "half.png", "nonsense.png"]
            + ["noise.png", "nothing.png", "hung-up.png", "last.png"]
        let requests = try names.map { PhotoRequest(url: try #require(network.url($0))) }
        let failures = await withCheckedContinuation { continuation in
            manager.download(requests, from: downloader, by: way) {
                continuation.resume(returning: $0)
            }
        }
        let photos = manager.read { photos in
            photos.map { ($0.url.lastPathComponent, $0.state, $0.attempts, $0.troubles) }
        }
        #expect(photos.count == names.count)
        var failed = 0
        for (name, state, attempts, troubles) in photos {
            if troubles.last?.contains("was cancelled") == true {
                failed += 1
                continue
            }
            let wanted = try #require(Self.expected[name])
            #expect((state == .ready) == (wanted.trouble == nil), "\(name): \(troubles)")
            #expect(attempts == wanted.attempts, "\(name): \(troubles)")
            guard let trouble = wanted.trouble else { continue }
            failed += 1
            let said = try #require(troubles.last, "\(name)")
            #expect(said.contains(trouble) && said.contains(name), "\(said)")
        }
        #expect(failures == failed)
    }
}
#endif
