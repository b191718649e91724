import Foundation
import Imaging

/// A photo between its download and its thumbnail.
final class PhotoInWork: @unchecked Sendable {  // one operation has it after the other
    let url: URL
    /// The downloaded bytes; `nil` before that, and for a photo of nowhere.
    var data: Data?
    /// The faces on it; `nil` if no search was made.
    var faces: [Face]?
    /// The picture between two operations.
    var image: Image?
    /// The result; cancelled until it has ended.
    var result: Result<DownloadedPhoto, PhotoFailure>

    init(url: URL, data: Data?) {
        self.url = url
        self.data = data
        result = .failure(.cancelled(url))
    }
}
