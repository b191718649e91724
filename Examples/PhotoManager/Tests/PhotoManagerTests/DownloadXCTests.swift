import Dispatch
import Foundation
import Imaging
import XCTest

@testable import photo_manager

#if HAS_MICROHTTPD
/// Asynchronous code as the tutorials test it, in XCTest: with a semaphore, and with an expectation, each of which
/// waits for so long and no longer. ``DownloadTests`` has the same in Swift Testing.
final class DownloadXCTests: XCTestCase {
    private let cache = ThumbnailCache(capacity: 1)

    private func downloader() -> PhotoDownloader {
        let library = Library(name: "Test", sources: [], token: "")
        return PhotoDownloader(
            library: library, thumbnails: ThumbnailMaker(library: library, cache: cache),
            patience: PhotoFetcher.Patience(timeout: 10, retries: 1, pause: 0.01))
    }

    func testPhotoIsThereWithinASemaphoresTime() throws {
        let server = try UnwellServer()
        let isThere = DispatchSemaphore(value: 0)
        let size = Counter()
        downloader().download(try server.url("success-kid.png"), token: "") { result in
            if (try? result.get())?.size == PixelSize(width: 64, height: 48) { size.increment() }
            isThere.signal()
        }
        XCTAssertEqual(isThere.wait(timeout: .now() + 20), .success)
        XCTAssertEqual(size.value, 1)
    }

    func testPhotoFulfilsAnExpectation() throws {
        let server = try UnwellServer()
        let isThere = expectation(description: "the photo is there")
        downloader().download(try server.url("success-kid.png"), token: "") { result in
            if case .success = result { isThere.fulfill() }
        }
        wait(for: [isThere], timeout: 20)
    }

    func testMissingPhotoEndsTheWaitToo() async throws {
        let server = try UnwellServer()
        let isOver = expectation(description: "the download has ended")
        let failures = Counter()
        downloader().download(try server.url("missing.png"), token: "") { result in
            if case .failure(.status(_, 404)) = result { failures.increment() }
            isOver.fulfill()
        }
        await fulfillment(of: [isOver], timeout: 20)
        XCTAssertEqual(failures.value, 1)
    }
}
#endif
