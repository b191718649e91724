import Foundation
import Imaging
import Synchronization
import Testing

@testable import photo_manager

#if HAS_MICROHTTPD
/// A web server on which some photos are wrong in every way that a network has.
struct UnwellServer {
    private let server: WebServer

    /// Its files, named for their purpose.
    static let good = ["success-kid.png", "lots-of-faces.png", "at-the-second-try.png"]
    static let bad = ["missing.png", "no-picture.png", "cut.png", "huge.png", "always-busy.png"]

    init() throws {
        let png = Data(try Image(size: PixelSize(width: 64, height: 48)).encoded(as: .png))
        let files = UnwellFiles()
        server = try WebServer(port: 0) { path in files.answer(String(path.dropFirst()), png) }
    }

    /// Returns the URL of a file.
    func url(_ name: String) throws -> URL {
        try #require(URL(string: "http://127.0.0.1:\(server.port)/\(name)"))
    }
}

/// The server's faulty files, each named for its fault.
private final class UnwellFiles: Sendable {
    private let asked = Mutex<[String: Int]>([:])

    func answer(_ name: String, _ png: Data) -> WebResponse {
        let count = asked.withLock { asked in
            asked[name, default: 0] += 1
            return asked[name, default: 0]
        }
        var answer = WebResponse(type: "image/png", body: png)
        switch name {
        case "missing.png": return .missing(name)
        case "no-picture.png": answer.body = Data("<html>no picture</html>".utf8)
        case "cut.png": answer.body = png.prefix(png.count / 2)
        case "huge.png":
            // 60,000 by 60,000 pixels, says its head.
            answer.body.replaceSubrange(16..<24, with: [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60])
        case "always-busy.png": answer.status = 503
        case "at-the-second-try.png": answer.status = count == 1 ? 503 : 200
        case "slow.png": Thread.sleep(forTimeInterval: 1)
        default: break
        }
        return answer
    }
}

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct DownloadTests {
    private let manager = PhotoManager()
    private let cache = ThumbnailCache(capacity: 100)
    private let downloader: PhotoDownloader
    /// A downloader with no time for a slow server.
    private let hasty: PhotoDownloader

    init() {
        let library = Library(name: "Test", sources: [], token: "")
        let thumbnails = ThumbnailMaker(library: library, cache: cache)
        func downloader(_ timeout: Double) -> PhotoDownloader {
            PhotoDownloader(
                library: library, thumbnails: thumbnails,
                patience: PhotoFetcher.Patience(timeout: timeout, retries: 2, pause: 0.01))
        }
        (self.downloader, hasty) = (downloader(30), downloader(0.5))
    }

    private func download(
        _ names: [String], from server: UnwellServer, by way: DownloadWay,
        with source: PhotoDownloader? = nil
    ) async throws -> Int {
        let requests = try names.map { PhotoRequest(url: try server.url($0)) }
        return await withCheckedContinuation { continuation in
            manager.download(requests, from: source ?? downloader, by: way) { failures in
                continuation.resume(returning: failures)
            }
        }
    }

    @Test(arguments: [DownloadWay.wait, .notify, .perform, .tasks])
    func everyPhotoIsThereOrHasFailedWhenTheBatchEnds(way: DownloadWay) async throws {
        let server = try UnwellServer()
        let names = UnwellServer.good + UnwellServer.bad
        #expect(try await download(names, from: server, by: way) == UnwellServer.bad.count)
        manager.read { photos in
            #expect(Set(photos.map(\.url.lastPathComponent)) == Set(names))
            for photo in photos {
                let isGood = UnwellServer.good.contains(photo.url.lastPathComponent)
                #expect((photo.state == .ready) == isGood, "\(photo.title): \(photo.state)")
                #expect(photo.troubles.isEmpty == (photo.attempts == 1 && isGood))
            }
        }
    }

    @Test func reasonsAndTriesAreKeptOnThePhoto() async throws {
        let server = try UnwellServer()
        _ = try await download(
            UnwellServer.bad + ["at-the-second-try.png"], from: server, by: .notify)
        // It holds one of the server's two threads.
        _ = try await download(["slow.png"], from: try UnwellServer(), by: .notify, with: hasty)
        let kept = manager.read { photos in
            photos.map { ($0.url.lastPathComponent, $0.attempts, $0.troubles) }
        }
        let expected: [String: (attempts: Int, trouble: String)] = [
            "missing.png": (1, "the server says 404"), "no-picture.png": (1, "neither a JPEG nor"),
            "cut.png": (1, "of a damaged png file"), "huge.png": (1, "60000 x 60000 pixels"),
            "always-busy.png": (3, "the server says 503"),
            "at-the-second-try.png": (2, "the server says 503"),
            "slow.png": (3, "it took too long"),
        ]
        for (name, attempts, troubles) in kept {
            let wanted = try #require(expected[name])
            #expect(attempts == wanted.attempts, "\(name): \(troubles)")
            #expect(troubles.last?.contains(wanted.trouble) == true, "\(name): \(troubles)")
        }
    }

    @Test func earlyCompletionComesBeforeAnyPhoto() async throws {
        let server = try UnwellServer()
        // Nothing can be there before the queue is resumed.
        downloader.queue.suspend()
        #expect(try await download(UnwellServer.good, from: server, by: .early) == 0)
        #expect(manager.read { photos in photos.allSatisfy { $0.state == .downloading } })
        downloader.queue.resume()
        while !manager.read({ photos in photos.allSatisfy { $0.state == .ready } }) {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    @Test func cancelledItemsEndTheirBatch() async throws {
        let server = try UnwellServer()
        let names = Array(repeating: "success-kid.png", count: 8)
        // All wait in the queue when some are cancelled.
        manager.itemQueue.suspend()
        async let failures = download(names, from: server, by: .items)
        while manager.read({ $0.count }) < 8 { try await Task.sleep(for: .milliseconds(5)) }
        try await Task.sleep(for: .milliseconds(20))
        manager.itemQueue.resume()
        #expect(try await failures == 2)
        let states = manager.read { photos in photos.map(\.state) }
        #expect(states.count { $0 == .ready } == 6)
        for position in [5, 7] {
            guard case .failed(let reason) = states[position] else {
                Issue.record("\(states)")
                continue
            }
            #expect(reason.contains("was cancelled"))
        }
    }

    /// As the tutorials test asynchronous code: a semaphore, with a bound.
    @Test nonisolated func photoIsThereWithinASemaphoresTime() throws {
        let server = try UnwellServer()
        let library = Library(name: "Test", sources: [], token: "")
        let cache = ThumbnailCache(capacity: 1)
        let downloader = PhotoDownloader(
            library: library, thumbnails: ThumbnailMaker(library: library, cache: cache))
        let isThere = DispatchSemaphore(value: 0)
        downloader.download(try server.url("success-kid.png"), token: "") { result in
            #expect((try? result.get())?.size == PixelSize(width: 64, height: 48))
            isThere.signal()
        }
        #expect(isThere.wait(timeout: .now() + 20) == .success)
    }

    /// And as Swift Testing does it: a confirmation, which fails where it does not come.
    @Test func photoIsConfirmed() async throws {
        let server = try UnwellServer()
        try await confirmation("the photo is there") { isThere in
            let failures = try await download(["success-kid.png"], from: server, by: .tasks)
            if failures == 0 { isThere() }
        }
    }
}
#endif
