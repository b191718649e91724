import Dispatch
import Foundation
import Synchronization

/// Gets photos over HTTP and has their thumbnails made.
final class PhotoDownloader: PhotoSource {
    /// The queue of downloads' beginnings and ends: concurrent, and never the network's own queue.
    let queue = DispatchQueue(
        label: "com.telltale.downloads", qos: .utility, attributes: .concurrent)
    /// Gets the files.
    let fetcher: PhotoFetcher

    private let library: Library
    private let thumbnails: ThumbnailMaker
    private let pictures: PictureCache?
    private let waiting = Mutex<[Int: WaitingDownload]>([:])
    private let numbers = Atomic(0)

    /// - Parameters:
    ///   - library: Has the token that listings need.
    ///   - thumbnails: Gets the downloaded photos.
    ///   - pictures: Keeps the files; `nil` if they will not be asked for.
    ///   - patience: How long a try may take, and how many there are.
    init(
        library: Library, thumbnails: ThumbnailMaker, pictures: PictureCache? = nil,
        patience: PhotoFetcher.Patience = PhotoFetcher.Patience()
    ) {
        self.library = library
        self.thumbnails = thumbnails
        self.pictures = pictures
        fetcher = PhotoFetcher(patience: patience, queue: queue)
    }

    /// Downloads one photo and has its thumbnail made.
    ///
    /// - Parameters:
    ///   - url: Where it is.
    ///   - token: Sent as the bearer's token; empty for none.
    ///   - trouble: Called on ``queue`` for each try that failed and is made again.
    ///   - completion: Called once, on ``queue``.
    func download(
        _ url: URL, token: String, trouble: @escaping @Sendable (PhotoFailure) -> Void = { _ in },
        completion: @escaping @Sendable (Result<DownloadedPhoto, PhotoFailure>) -> Void
    ) {
        let number = numbers.wrappingAdd(1, ordering: .relaxed).newValue
        let begun = Counter()
        let item = DispatchWorkItem {
            begun.increment()
            self.forget(number)
            self.begin(url, token: token, trouble: trouble, completion: completion)
        }
        // For an item that was cancelled before it began only this runs: a caller that counts
        // downloads has to hear of it here.
        item.notify(queue: queue) {
            guard begun.value == 0 else { return }
            self.forget(number)
            completion(.failure(.cancelled(url)))
        }
        let download = WaitingDownload(item: item)
        waiting.withLock { $0[number] = download }
        queue.async(execute: item)
    }

    func get(
        _ number: Int, _ url: URL, token: String,
        trouble: @escaping @Sendable (PhotoFailure) -> Void,
        completion: @escaping @Sendable (Result<DownloadedPhoto, PhotoFailure>) -> Void
    ) {
        download(url, token: token, trouble: trouble, completion: completion)
    }

    /// Cancels every download that has not begun.
    ///
    /// - Returns: How many.
    @discardableResult
    func cancelWaiting() -> Int {
        let downloads = waiting.withLock { Array($0.values) }
        for download in downloads { download.item.cancel() }
        return downloads.count
    }

    private func forget(_ number: Int) {
        waiting.withLock { _ = $0.removeValue(forKey: number) }
    }

    private func begin(
        _ url: URL, token: String, trouble: @escaping @Sendable (PhotoFailure) -> Void,
        completion: @escaping @Sendable (Result<DownloadedPhoto, PhotoFailure>) -> Void
    ) {
        fetcher.fetch(url, token: token, trouble: trouble) { result in
            do throws(PhotoFailure) {
                let data = try result.get()
                self.thumbnails.make(of: data, from: url) { result in
                    if case .success = result { self.pictures?.insert(data, for: url) }
                    self.queue.async { completion(result) }
                }
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// Downloads a listing, such as a web server makes of a folder.
    ///
    /// - Parameter url: The listing.
    /// - Returns: Its bytes.
    /// - Throws: ``PhotoFailure`` when the server can't be reached or doesn't have it.
    func listing(at url: URL) async throws(PhotoFailure) -> Data {
        try await fetcher.file(at: url, token: library.token)
    }
}
