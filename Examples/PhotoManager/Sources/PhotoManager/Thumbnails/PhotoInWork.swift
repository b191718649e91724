import Foundation
import Imaging

/// One photo between its download and its thumbnail.
final class PhotoInWork: @unchecked Sendable {  // one operation has it after the other
    let url: URL
    /// What was downloaded; nil before that, and for a photo of nowhere.
    var data: Data?
    /// The faces on it; nil where nobody looked.
    var faces: [Face]?
    /// The picture between two operations.
    var image: Image?
    /// How it ended; cancelled until it has.
    var result: Result<DownloadedPhoto, PhotoFailure>

    init(url: URL, data: Data?) {
        self.url = url
        self.data = data
        result = .failure(.cancelled(url))
    }
}
