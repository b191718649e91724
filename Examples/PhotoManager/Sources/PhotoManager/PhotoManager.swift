import Dispatch
import Foundation

/// The photos of the service, as the GCD tutorials keep them: one singleton, an array behind a
/// concurrent queue, readers side by side and every change behind a barrier.
final class PhotoManager: @unchecked Sendable {  // `queue` guards every `var`
    static let shared = PhotoManager()

    /// Why the wall is empty, posted when it has been empty for a while.
    static let emptyPrompt = "Add photos with faces to Googlyify them!"

    private(set) var items: [Photo] = []
    private(set) var prompt: String?
    private(set) var apiToken = ""
    private var nextID = 1
    private var promptIsPlanned = false

    let queue = DispatchQueue(label: "com.telltale.photos", attributes: .concurrent)
    private let downloads = DispatchGroup()

    /// Only tests make one of their own.
    init() {}

    /// Reads photos on their queue; other readers go on.
    ///
    /// - Parameter body: Gets the photos and must not keep them.
    /// - Returns: What `body` returns.
    func read<Result>(_ body: ([Photo]) -> Result) -> Result {
        queue.sync { body(items) }
    }

    /// Reads photos and prompt of one moment.
    ///
    /// - Parameter body: Gets both and must not keep the photos.
    /// - Returns: What `body` returns.
    func readAlbum<Result>(_ body: ([Photo], String?) -> Result) -> Result {
        queue.sync { body(items, prompt) }
    }

    /// Puts photos into the place of those that are there.
    ///
    /// - Parameter photos: Belong to the queue from now on.
    func put(_ photos: sending [Photo]) {
        queue.sync(flags: .barrier) { items = photos }
    }

    /// Sets the token that is sent with every download.
    ///
    /// - Parameter token: The secret.
    func authorize(with token: String) {
        queue.async(flags: .barrier) { self.apiToken = token }
    }

    /// Adds photos and downloads them, all at the same time.
    ///
    /// - Parameters:
    ///   - requests: What to download.
    ///   - downloader: Gets, checks and shrinks a photo.
    ///   - completion: Called on the main queue when none of them is under way any more, with the
    ///     number of those that failed.
    func download(
        _ requests: [PhotoRequest], with downloader: PhotoDownloader,
        completion: @escaping @MainActor @Sendable (_ failures: Int) -> Void
    ) {
        let batch = DispatchGroup()
        let failures = Counter()
        for request in requests {
            batch.enter()
            downloads.enter()
            add(request) { id, token in
                downloader.download(request.url, token: token) { result in
                    if case .failure = result { failures.increment() }
                    self.finish(id, with: result)
                    self.downloads.leave()
                    batch.leave()
                }
            }
        }
        batch.notify(queue: .main) {
            MainActor.assumeIsolated { completion(failures.value) }
        }
    }

    /// Posts the prompt when no photo is there after a delay, and takes it away when one is.
    ///
    /// - Parameter delay: How long an empty wall is left alone, so that nothing flickers.
    func updatePrompt(after delay: DispatchTimeInterval) {
        queue.async(flags: .barrier) {
            guard self.items.isEmpty else {
                if self.prompt == Self.emptyPrompt { self.prompt = nil }
                return
            }
            guard !self.promptIsPlanned else { return }
            self.promptIsPlanned = true
            self.queue.asyncAfter(deadline: .now() + delay, flags: .barrier) {
                self.promptIsPlanned = false
                if self.items.isEmpty { self.prompt = Self.emptyPrompt }
            }
        }
    }

    /// Adds a photo that waits for its download.
    ///
    /// - Parameters:
    ///   - request: What it is.
    ///   - added: Called on the queue once it is in, with its number and the token.
    private func add(
        _ request: PhotoRequest, added: @escaping @Sendable (_ id: Int, _ token: String) -> Void
    ) {
        queue.async(flags: .barrier) {
            let photo = Photo(
                id: self.nextID, title: request.title ?? Photo.title(of: request.url),
                url: request.url)
            photo.state = .downloading
            self.nextID += 1
            self.items.append(photo)
            if self.prompt == Self.emptyPrompt { self.prompt = nil }
            added(photo.id, self.apiToken)
        }
    }

    /// Writes down how a download ended.
    private func finish(_ id: Int, with result: Result<DownloadedPhoto, PhotoFailure>) {
        queue.sync(flags: .barrier) {
            guard let photo = items.first(where: { $0.id == id }) else { return }
            switch result {
            case .success(let downloaded):
                photo.byteCount = downloaded.byteCount
                photo.size = downloaded.size
                photo.format = downloaded.format
                photo.state = .ready
            case .failure(let failure):
                photo.state = .failed(failure.description)
            }
        }
    }
}
