import Dispatch
import Foundation

/// A source of photos: plain ones from ``PhotoDownloader``, with eyes drawn on from
/// ``GooglyPipeline``.
protocol PhotoSource: Sendable {
    /// The queue of downloads' beginnings and ends.
    var queue: DispatchQueue { get }

    /// Gets one photo.
    ///
    /// - Parameters:
    ///   - number: The photo's.
    ///   - url: Where it is.
    ///   - token: Sent as the bearer's token; empty for none.
    ///   - trouble: Called for each try that failed and is made again.
    ///   - completion: Called once.
    func get(
        _ number: Int, _ url: URL, token: String,
        trouble: @escaping @Sendable (PhotoFailure) -> Void,
        completion: @escaping @Sendable (Result<DownloadedPhoto, PhotoFailure>) -> Void)
}
