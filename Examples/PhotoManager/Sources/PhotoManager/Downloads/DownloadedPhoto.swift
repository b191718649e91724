import Imaging

/// The data of a photo that was downloaded and decoded.
struct DownloadedPhoto: Sendable, Equatable {
    var byteCount: Int
    var size: PixelSize
    var format: ImageFormat
    /// The number of faces; `nil` if no search was made.
    var faces: Int?
}
