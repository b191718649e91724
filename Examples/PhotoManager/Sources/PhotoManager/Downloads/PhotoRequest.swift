import Foundation

/// A photo that somebody wants on the wall.
struct PhotoRequest: Sendable, Equatable {
    /// Where it is.
    var url: URL
    /// What to call it; nil for a title made of the URL.
    var title: String?
}
