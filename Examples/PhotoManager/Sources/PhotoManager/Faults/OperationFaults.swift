import Dispatch
import Foundation

extension Fault {
    /// Operations that never become ready.
    static let operationFaults = [
        Fault(
            name: "operation-dependency",
            summary: "a thumbnail depends on an operation that was never queued"
        ) { service in
            let operations = service.thumbnails.operations
            let shrink = ThumbnailBacklog.queueThumbnailWithoutItsPhoto(service)
            DispatchQueue(label: "com.telltale.publishing").async {
                ThumbnailBacklog.waitForThumbnails(operations)
            }
            return { shrink.cancel() }
        },
        Fault(
            name: "operation-in-own-queue",
            summary: "an operation waits for one of its own queue, which takes one at a time"
        ) { service in
            let publishing = AlbumPublishing.queueAlbum(with: service.manager.queue)
            return { publishing.maxConcurrentOperationCount = 2 }
        },
    ]
}

/// `operation-dependency`.
enum ThumbnailBacklog {
    /// Decoding is made and depended on, but never added to a queue.
    @MainActor
    static func queueThumbnailWithoutItsPhoto(_ service: Service) -> Operation {
        let url = URL(fileURLWithPath: "/photos/overly-attached-girlfriend.jpg")
        let decode = DecodeOperation(PhotoInWork(url: url, data: nil), limit: 0)
        let shrink = ThumbnailOperation(
            after: decode, edge: service.library.thumbnailEdge, cache: service.cache)
        service.thumbnails.operations.addOperation(shrink)
        return shrink
    }

    static func waitForThumbnails(_ operations: OperationQueue) {
        operations.waitUntilAllOperationsAreFinished()
        log("all thumbnails are published")
    }
}

/// `operation-in-own-queue`: an album is published when its cover is drawn, which waits for its turn behind it.
enum AlbumPublishing {
    /// Returns when the photos are held, so that a command then finds the fault.
    static func queueAlbum(with photos: DispatchQueue) -> OperationQueue {
        let publishing = OperationQueue()
        publishing.name = "com.telltale.publishing"
        publishing.maxConcurrentOperationCount = 1
        let cover = BlockOperation { log("the cover is drawn") }
        let album = PublishOperation(photos, after: cover)
        publishing.addOperation(album)
        publishing.addOperation(cover)
        _ = album.begun.wait(timeout: .now() + 10)
        return publishing
    }
}

/// Keeps the photos as they are until it is done.
final class PublishOperation: Operation, @unchecked Sendable {  // set once
    let begun = DispatchSemaphore(value: 0)
    private let photos: DispatchQueue
    private let cover: Operation

    init(_ photos: DispatchQueue, after cover: Operation) {
        self.photos = photos
        self.cover = cover
        super.init()
        name = "publish the album"
    }

    override func main() {
        photos.sync(flags: .barrier) {
            begun.signal()
            cover.waitUntilFinished()
        }
        log("the album is published")
    }
}
