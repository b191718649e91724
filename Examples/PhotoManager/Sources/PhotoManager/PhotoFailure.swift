import Foundation
import Imaging

/// The reason that a photo, or a listing of photos, is missing.
enum PhotoFailure: Error, Equatable, CustomStringConvertible {
    case notAnAddress(String)
    case unreachable(URL, reason: String)
    case timedOut(URL)
    case unreadable(URL, reason: String)
    case status(URL, Int)
    case tooLarge(URL, byteCount: Int, limit: Int)
    case notAPicture(URL, ImageFailure)
    case cancelled(URL)

    var description: String {
        switch self {
        case .notAnAddress(let text): "'\(text)' is not the URL of a photo or of a listing"
        case .unreachable(let url, let reason): "can't download \(url): \(reason)"
        case .timedOut(let url): "can't download \(url): it took too long"
        case .unreadable(let file, let reason): "can't read \(file.path): \(reason)"
        case .status(let url, let status): "can't download \(url): the server says \(status)"
        case .tooLarge(let url, let byteCount, let limit):
            "\(url) has \(byteCount) bytes; the library takes at most \(limit)"
        case .notAPicture(let url, let failure): "\(url): \(failure)"
        case .cancelled(let url): "\(url) was cancelled"
        }
    }

    /// Indicates that another try may succeed.
    var mayPass: Bool {
        switch self {
        case .unreachable, .timedOut: true
        case .status(_, let status): status == 429 || status >= 500
        case .notAnAddress, .unreadable, .tooLarge, .notAPicture, .cancelled: false
        }
    }
}
