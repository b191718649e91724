import Dispatch
import Foundation
import Imaging
import Synchronization

/// Downloads photos and gives everybody on them googly eyes: five operations a photo, each of which waits for
/// the one before. Download (asynchronous), decode and detect (synchronous), draw and store (blocks).
final class GooglyPipeline: PhotoSource {
    /// Two at a time, as the thumbnails.
    let operations: OperationQueue
    /// The downloads' own.
    let queue: DispatchQueue
    private let library: Library
    private let fetcher: PhotoFetcher
    private let thumbnails: ThumbnailCache
    private let pictures: PictureCache?
    /// Loaded for the first photo, so that a service without eyes has no OpenCV in memory.
    private let finder = Mutex<Result<FaceFinder, FaceFailure>?>(nil)

    /// - Parameters:
    ///   - library: Has the limits, and the size of a thumbnail.
    ///   - fetcher: Gets the photos.
    ///   - thumbnails: Where the thumbnails go.
    ///   - pictures: Gets the pictures with eyes; `nil` if they will not be asked for.
    init(
        library: Library, fetcher: PhotoFetcher, thumbnails: ThumbnailCache,
        pictures: PictureCache?
    ) {
        queue = fetcher.queue
        self.library = library
        self.fetcher = fetcher
        self.thumbnails = thumbnails
        self.pictures = pictures
        operations = OperationQueue()
        operations.name = "com.telltale.googly"
        operations.qualityOfService = .utility
        operations.maxConcurrentOperationCount = 2
    }

    /// Downloads a photo and draws the eyes, which look where its number says.
    func get(
        _ number: Int, _ url: URL, token: String,
        trouble: @escaping @Sendable (PhotoFailure) -> Void,
        completion: @escaping @Sendable (Result<DownloadedPhoto, PhotoFailure>) -> Void
    ) {
        let photo = PhotoInWork(url: url, data: nil)
        let download = FetchOperation(photo, fetcher: fetcher, token: token, trouble: trouble)
        let decode = DecodeOperation(photo, limit: library.largestPhoto)
        decode.addDependency(download)
        let detect = DetectOperation(after: decode) { self.loadedFinder }
        let draw = BlockOperation { Self.draw(on: photo, number: number) }
        draw.name = "draw \(url.lastPathComponent)"
        draw.addDependency(detect)
        let store = BlockOperation { self.store(photo) }
        store.name = "store \(url.lastPathComponent)"
        store.addDependency(draw)
        // An operation that was cancelled calls it too.
        store.completionBlock = { self.queue.async { completion(photo.result) } }
        operations.addOperations([download, decode, detect, draw, store], waitUntilFinished: false)
    }

    /// `nil` if no faces can be found: the photos keep their eyes, which is reported once.
    private var loadedFinder: FaceFinder? {
        finder.withLock { finder in
            if let finder { return try? finder.get() }
            let loaded = Result { () throws(FaceFailure) in try FaceFinder() }
            if case .failure(let failure) = loaded { log("\(failure)") }
            finder = loaded
            return try? loaded.get()
        }
    }

    private static func draw(on photo: PhotoInWork, number: Int) {
        guard let faces = photo.faces, let image = photo.image.take() else { return }
        GooglyEyes.draw(on: image, faces: faces, number: number)
        photo.image = consume image
    }

    private func store(_ photo: PhotoInWork) {
        guard let image = photo.image.take(), case .success(var known) = photo.result else {
            return
        }
        known.faces = photo.faces?.count
        photo.result = .success(known)
        do throws(ImageFailure) {
            let edge = library.thumbnailEdge
            let thumbnail = try image.resampled(to: image.size.fitting(edge: edge))
            let png = Data(try thumbnail.encoded(as: .png))
            thumbnails.insert(Thumbnail(size: thumbnail.size, png: png), for: photo.url)
            // A photo without drawn eyes stays as it came.
            let changed = photo.faces?.isEmpty == false
            let file = changed ? Data(try image.encoded(as: known.format)) : photo.data
            if let file { pictures?.insert(file, for: photo.url) }
        } catch {
            photo.result = .failure(.notAPicture(photo.url, error))
        }
    }
}
