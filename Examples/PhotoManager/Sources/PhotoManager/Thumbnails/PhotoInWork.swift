import Foundation
import Imaging

/// One photo between its download and its thumbnail.
final class PhotoInWork: @unchecked Sendable {  // one operation has it after the other
    let url: URL
    /// What was downloaded; nil for a photo of nowhere.
    let data: Data?
    /// The picture between its two operations.
    var image: Image?
    /// How it ended; cancelled until it has.
    var result: Result<DownloadedPhoto, PhotoFailure>

    init(url: URL, data: Data?) {
        self.url = url
        self.data = data
        result = .failure(.cancelled(url))
    }
}
