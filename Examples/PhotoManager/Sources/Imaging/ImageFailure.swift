/// The reason that a picture could not be read or made.
public enum ImageFailure: Error, Equatable, CustomStringConvertible {
    /// The bytes are neither JPEG nor PNG.
    case unknownFormat(byteCount: Int)
    /// The bytes begin like a picture, and libgd can't decode them.
    case damaged(ImageFormat, byteCount: Int)
    /// The head of the file promises more pixels than are decoded.
    case tooManyPixels(PixelSize, limit: Int)
    /// libgd refuses a picture of this size, or has no memory for it.
    case noMemory(PixelSize)

    /// A sentence for a log.
    public var description: String {
        switch self {
        case .unknownFormat(let byteCount):
            "\(byteCount) bytes are neither a JPEG nor a PNG file"
        case .damaged(let format, let byteCount):
            "\(byteCount) bytes of a damaged \(format.rawValue) file"
        case .tooManyPixels(let size, let limit):
            "\(size.width) x \(size.height) pixels are more than the \(limit) that are decoded"
        case .noMemory(let size):
            "no memory for a picture of \(size.width) x \(size.height) pixels"
        }
    }
}
