import Foundation

/// Downloads a photo, by URLSession: no thread is its own meanwhile.
///
/// All its state is the photo's.
final class FetchOperation: AsynchronousOperation, @unchecked Sendable {
    let photo: PhotoInWork
    private let fetcher: PhotoFetcher
    private let token: String
    private let trouble: @Sendable (PhotoFailure) -> Void

    /// - Parameters:
    ///   - photo: Where it is, and where its bytes go.
    ///   - fetcher: Gets it.
    ///   - token: Sent as the bearer's token.
    ///   - trouble: Called for each try that failed and is made again.
    init(
        _ photo: PhotoInWork, fetcher: PhotoFetcher, token: String,
        trouble: @escaping @Sendable (PhotoFailure) -> Void
    ) {
        self.photo = photo
        self.fetcher = fetcher
        self.token = token
        self.trouble = trouble
        super.init()
        name = "download \(photo.url.lastPathComponent)"
    }

    override func main() {
        fetcher.fetch(photo.url, token: token, trouble: trouble) { result in
            switch result {
            case .success(let data): self.photo.data = data
            case .failure(let failure): self.photo.result = .failure(failure)
            }
            self.finish()
        }
    }
}
