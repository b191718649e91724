import Imaging

/// What is known of a photo once it was downloaded and decoded.
struct DownloadedPhoto: Sendable, Equatable {
    var byteCount: Int
    var size: PixelSize
    var format: ImageFormat
    /// How many faces are on it; nil where nobody looked.
    var faces: Int?
}
