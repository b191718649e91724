import Dispatch
import Foundation
import Imaging

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Gets photos over HTTP, decodes them, and leaves their thumbnails in the cache.
final class PhotoDownloader: Sendable {
    /// Where photos are decoded: beside each other, and never on the network's own queue.
    let queue = DispatchQueue(
        label: "com.telltale.downloads", qos: .utility, attributes: .concurrent)

    private let session = URLSession(configuration: .ephemeral)
    private let library: Library
    private let cache: ThumbnailCache

    /// - Parameters:
    ///   - library: Says what is too large and how small a thumbnail is.
    ///   - cache: Where the thumbnails go.
    init(library: Library, cache: ThumbnailCache) {
        self.library = library
        self.cache = cache
    }

    /// Downloads and decodes one photo.
    ///
    /// - Parameters:
    ///   - url: Where it is.
    ///   - token: Sent as the bearer's token; empty for none.
    ///   - completion: Called once, on ``queue``.
    func download(
        _ url: URL, token: String,
        completion: @escaping @Sendable (Result<DownloadedPhoto, PhotoFailure>) -> Void
    ) {
        let request = Self.request(url, token: token)
        let task = session.dataTask(with: request) { data, response, error in
            self.queue.async {
                completion(
                    Result { () throws(PhotoFailure) in
                        let data = try Self.body(of: url, data, response, error)
                        return try self.decode(data, from: url)
                    })
            }
        }
        task.resume()
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

    private func decode(_ data: Data, from url: URL) throws(PhotoFailure) -> DownloadedPhoto {
        guard data.count <= library.largestPhoto else {
            throw .tooLarge(url, byteCount: data.count, limit: library.largestPhoto)
        }
        do throws(ImageFailure) {
            let bytes = [UInt8](data)
            guard let format = ImageFormat(recognising: bytes) else {
                throw .unknownFormat(byteCount: bytes.count)
            }
            let image = try Image(decoding: bytes)
            let thumbnail = try image.resampled(
                to: image.size.fitting(edge: library.thumbnailEdge))
            let png = try thumbnail.encoded(as: .png)
            cache.insert(Thumbnail(size: thumbnail.size, png: Data(png)), for: url)
            return DownloadedPhoto(byteCount: bytes.count, size: image.size, format: format)
        } catch {
            throw .notAPicture(url, error)
        }
    }
}
