import Foundation

/// A request for a photo on the wall.
struct PhotoRequest: Sendable, Equatable {
    /// The photo's URL.
    var url: URL
    /// The title; `nil` for a title made of the URL.
    var title: String?
}
