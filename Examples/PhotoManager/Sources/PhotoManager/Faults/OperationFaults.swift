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
        }
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
