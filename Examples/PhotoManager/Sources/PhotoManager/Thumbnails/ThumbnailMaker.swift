import Foundation

/// Decodes and shrinks photos: two operations a photo, the second of which waits for the first.
final class ThumbnailMaker: Sendable {
    /// Two at a time, so that a full wall leaves the service a processor.
    let operations: OperationQueue
    private let library: Library
    private let cache: ThumbnailCache

    /// - Parameters:
    ///   - library: Has the limits, and the size of a thumbnail.
    ///   - cache: Where the thumbnails go.
    init(library: Library, cache: ThumbnailCache) {
        self.library = library
        self.cache = cache
        operations = OperationQueue()
        operations.name = "com.telltale.thumbnails"
        operations.qualityOfService = .utility
        operations.maxConcurrentOperationCount = 2
    }

    /// Makes the thumbnail of a photo.
    ///
    /// - Parameters:
    ///   - data: What was downloaded.
    ///   - url: From where.
    ///   - completion: Called once, with the photo's data, or the reason that it has no thumbnail.
    func make(
        of data: Data, from url: URL,
        completion: @escaping @Sendable (Result<DownloadedPhoto, PhotoFailure>) -> Void
    ) {
        let photo = PhotoInWork(url: url, data: data)
        let decode = DecodeOperation(photo, limit: library.largestPhoto)
        let shrink = ThumbnailOperation(
            after: decode, edge: library.thumbnailEdge, cache: cache)
        // An operation that was cancelled calls it too.
        shrink.completionBlock = { completion(photo.result) }
        operations.addOperations([decode, shrink], waitUntilFinished: false)
    }

    /// Cancels the operations that have not begun; their photos fail.
    func cancel() {
        operations.cancelAllOperations()
    }
}
