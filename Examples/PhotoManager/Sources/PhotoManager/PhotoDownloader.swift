import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Gets photos over HTTP and has their thumbnails made.
final class PhotoDownloader: Sendable {
    /// Where downloads begin and end: beside each other, and never on the network's own queue.
    let queue = DispatchQueue(
        label: "com.telltale.downloads", qos: .utility, attributes: .concurrent)

    private let session = URLSession(configuration: .ephemeral)
    private let library: Library
    private let thumbnails: ThumbnailMaker
    private let pictures: PictureCache?
    private let waiting = Mutex<[Int: WaitingDownload]>([:])
    private let numbers = Atomic(0)

    /// - Parameters:
    ///   - library: Has the token that listings need.
    ///   - thumbnails: Gets what was downloaded.
    ///   - pictures: Keeps the files; nil where nobody will ask for them.
    init(library: Library, thumbnails: ThumbnailMaker, pictures: PictureCache? = nil) {
        self.library = library
        self.thumbnails = thumbnails
        self.pictures = pictures
    }

    /// Downloads one photo and has its thumbnail made.
    ///
    /// - Parameters:
    ///   - url: Where it is.
    ///   - token: Sent as the bearer's token; empty for none.
    ///   - completion: Called once, on ``queue``.
    func download(
        _ url: URL, token: String,
        completion: @escaping @Sendable (Result<DownloadedPhoto, PhotoFailure>) -> Void
    ) {
        let number = numbers.wrappingAdd(1, ordering: .relaxed).newValue
        let begun = Counter()
        let item = DispatchWorkItem {
            begun.increment()
            self.forget(number)
            self.begin(Self.request(url, token: token), completion: completion)
        }
        // Of an item that was cancelled before it began nothing runs but this: whoever counts downloads
        // has to hear of it here.
        item.notify(queue: queue) {
            guard begun.value == 0 else { return }
            self.forget(number)
            completion(.failure(.cancelled(url)))
        }
        let download = WaitingDownload(item: item)
        waiting.withLock { $0[number] = download }
        queue.async(execute: item)
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
        _ request: URLRequest,
        completion: @escaping @Sendable (Result<DownloadedPhoto, PhotoFailure>) -> Void
    ) {
        guard let url = request.url else { return }
        session.dataTask(with: request) { data, response, error in
            self.queue.async {
                do throws(PhotoFailure) {
                    let data = try Self.body(of: url, data, response, error)
                    self.thumbnails.make(of: data, from: url) { result in
                        if case .success = result { self.pictures?.insert(data, for: url) }
                        self.queue.async { completion(result) }
                    }
                } catch {
                    completion(.failure(error))
                }
            }
        }.resume()
    }

    /// Downloads a listing, such as a web server makes of a folder.
    ///
    /// - Parameter url: The listing.
    /// - Returns: Its bytes.
    /// - Throws: ``PhotoFailure`` when the server can't be reached or doesn't have it.
    func listing(at url: URL) async throws(PhotoFailure) -> Data {
        let request = Self.request(url, token: library.token)
        let result = await withCheckedContinuation { continuation in
            session.dataTask(with: request) { data, response, error in
                continuation.resume(
                    returning: Result { () throws(PhotoFailure) in
                        try Self.body(of: url, data, response, error)
                    })
            }.resume()
        }
        return try result.get()
    }

    private static func request(_ url: URL, token: String) -> URLRequest {
        var request = URLRequest(url: url, timeoutInterval: 30)
        if !token.isEmpty {
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        }
        return request
    }

    /// What the server sent, when it sent what was asked for.
    private static func body(
        of url: URL, _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
    ) throws(PhotoFailure) -> Data {
        if let error { throw .unreachable(url, reason: error.localizedDescription) }
        if let http = response as? HTTPURLResponse, http.statusCode != 200 {
            throw .status(url, http.statusCode)
        }
        return data ?? Data()
    }
}
