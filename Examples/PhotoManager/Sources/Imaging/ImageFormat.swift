/// A file format that ``Image`` reads and writes.
public enum ImageFormat: String, Sendable, CaseIterable {
    case jpeg
    case png

    /// Recognises a format by the first bytes of a file; a server's content type is ignored.
    ///
    /// - Parameter bytes: The file, or its first 8 bytes.
    public init?(recognising bytes: some Collection<UInt8>) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else {
            return nil
        }
    }

    /// The usual ends of a file name, without the dot.
    public var fileExtensions: [String] {
        switch self {
        case .jpeg: ["jpg", "jpeg"]
        case .png: ["png"]
        }
    }
}
