import Dispatch
import Foundation

/// The photos of the service, as the GCD tutorials keep them: one singleton, an array behind a
/// concurrent queue, readers side by side and every change behind a barrier.
final class PhotoManager: @unchecked Sendable {  // `queue` guards every `var`
    static let shared = PhotoManager()

    /// The reason that the wall is empty, posted when it has been empty for a while.
    static let emptyPrompt = "Add photos with faces to Googlyify them!"

    private(set) var items: [Photo] = []
    private(set) var prompt: String?
    private(set) var apiToken = ""
    private var nextID = 1
    /// Posts the prompt after the delay; cancelled when a photo comes first.
    private var plannedPrompt: DispatchWorkItem?

    let queue = DispatchQueue(label: "com.telltale.photos", attributes: .concurrent)
    /// Downloads one after another, for ``DownloadWay/items``.
    let itemQueue = DispatchQueue(label: "com.telltale.items")
    private let downloads = DispatchGroup()

    /// Only tests make one of their own.
    init() {}

    /// Reads photos on their queue; other readers continue.
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

    /// Adds a photo and downloads it.
    ///
    /// - Parameters:
    ///   - request: What to download.
    ///   - source: Gets, checks and shrinks it.
    ///   - ended: Called once, with whether it is there.
    func download(
        _ request: PhotoRequest, from source: any PhotoSource,
        ended: @escaping @Sendable (_ isThere: Bool) -> Void
    ) {
        downloads.enter()
        queue.async(flags: .barrier) {
            let id = self.add(request)
            self.begin(id, request.url, from: source) { isThere in
                self.downloads.leave()
                ended(isThere)
            }
        }
    }

    /// Adds a photo that a later ``fetch(_:_:from:ended:)`` gets.
    ///
    /// - Parameter request: What it is.
    /// - Returns: Its number.
    func addWaiting(_ request: PhotoRequest) -> Int {
        queue.sync(flags: .barrier) { add(request) }
    }

    /// Downloads a photo that waits for it.
    ///
    /// - Parameters:
    ///   - id: The photo.
    ///   - url: Where it is.
    ///   - source: Gets, checks and shrinks it.
    ///   - ended: Called once, with whether it is there.
    func fetch(
        _ id: Int, _ url: URL, from source: any PhotoSource,
        ended: @escaping @Sendable (_ isThere: Bool) -> Void
    ) {
        queue.async(flags: .barrier) { self.begin(id, url, from: source, ended: ended) }
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
            guard self.plannedPrompt == nil else { return }
            let posting = DispatchWorkItem(flags: .barrier) {
                self.plannedPrompt = nil
                if self.items.isEmpty { self.prompt = Self.emptyPrompt }
            }
            self.plannedPrompt = posting
            self.queue.asyncAfter(deadline: .now() + delay, execute: posting)
        }
    }

    /// Adds a photo that waits, on the queue.
    private func add(_ request: PhotoRequest) -> Int {
        let photo = Photo(
            id: nextID, title: request.title ?? Photo.title(of: request.url), url: request.url)
        nextID += 1
        items.append(photo)
        plannedPrompt?.cancel()
        plannedPrompt = nil
        if prompt == Self.emptyPrompt { prompt = nil }
        return photo.id
    }

    /// Begins a download, on the queue.
    private func begin(
        _ id: Int, _ url: URL, from source: any PhotoSource,
        ended: @escaping @Sendable (_ isThere: Bool) -> Void
    ) {
        let photo = items.first { $0.id == id }
        photo?.state = .downloading
        photo?.attempts = 1
        source.get(
            id, url, token: apiToken, trouble: { failure in self.note(failure, of: id) },
            completion: { result in
                self.finish(id, with: result)
                if case .success = result { ended(true) } else { ended(false) }
            })
    }

    /// Writes down why a try failed that is made again.
    private func note(_ failure: PhotoFailure, of id: Int) {
        queue.async(flags: .barrier) {
            guard let photo = self.items.first(where: { $0.id == id }) else { return }
            photo.attempts += 1
            photo.troubles.append(failure.description)
        }
    }

    /// Writes down how a download ended.
    ///
    /// - Parameters:
    ///   - id: The photo; one that was taken from the wall meanwhile is gone.
    ///   - result: What is known of it, or why it isn't there.
    func finish(_ id: Int, with result: Result<DownloadedPhoto, PhotoFailure>) {
        queue.sync(flags: .barrier) {
            guard let photo = items.first(where: { $0.id == id }) else { return }
            switch result {
            case .success(let downloaded):
                photo.byteCount = downloaded.byteCount
                photo.size = downloaded.size
                photo.format = downloaded.format
                photo.faces = downloaded.faces
                photo.state = .ready
            case .failure(let failure):
                photo.troubles.append(failure.description)
                photo.state = .failed(failure.description)
            }
        }
    }
}
