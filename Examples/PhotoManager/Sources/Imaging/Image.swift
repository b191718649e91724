import CLibGD

/// A decoded picture in libgd's memory, which is freed with the value.
public struct Image: ~Copyable {
    private let image: gdImagePtr

    /// Takes over an image of libgd's.
    private init(adopting image: gdImagePtr) {
        self.image = image
    }

    /// Makes a black picture.
    ///
    /// - Parameter size: Its size.
    /// - Throws: ``ImageFailure/noMemory(_:)``.
    public init(size: PixelSize) throws(ImageFailure) {
        guard
            let width = Int32(exactly: size.width), let height = Int32(exactly: size.height),
            let image = gdImageCreateTrueColor(width, height)
        else { throw .noMemory(size) }
        self.init(adopting: image)
    }

    /// As many pixels are decoded, and no more: a small file can promise a picture of many gigabytes.
    public static let pixelLimit = 64_000_000

    /// Decodes a JPEG or PNG file.
    ///
    /// - Parameter bytes: The whole file.
    /// - Throws: ``ImageFailure`` if the bytes are not a picture, or a damaged one.
    public init(decoding bytes: [UInt8]) throws(ImageFailure) {
        guard let format = ImageFormat(recognising: bytes) else {
            throw .unknownFormat(byteCount: bytes.count)
        }
        guard let count = Int32(exactly: bytes.count) else {
            throw .damaged(format, byteCount: bytes.count)
        }
        if let size = format.sizeInHead(of: bytes), size.pixelCount > Self.pixelLimit {
            throw .tooManyPixels(size, limit: Self.pixelLimit)
        }
        let decoded = bytes.withUnsafeBytes { buffer in
            // libgd takes a mutable pointer and only reads.
            let data = UnsafeMutableRawPointer(mutating: buffer.baseAddress)
            return switch format {
            case .jpeg: gdImageCreateFromJpegPtrEx(count, data, 0)
            case .png: gdImageCreateFromPngPtr(count, data)
            }
        }
        guard let decoded else { throw .damaged(format, byteCount: bytes.count) }
        self.init(adopting: decoded)
    }

    deinit {
        gdImageDestroy(image)
    }

    /// Its size in pixels.
    public var size: PixelSize {
        PixelSize(width: Int(image.pointee.sx), height: Int(image.pointee.sy))
    }

    /// Makes a copy of another size, every pixel the mean of those it replaces.
    ///
    /// - Parameter size: The size of the copy.
    /// - Returns: The copy.
    /// - Throws: ``ImageFailure/noMemory(_:)``.
    public func resampled(to size: PixelSize) throws(ImageFailure) -> Image {
        let copy = try Image(size: size)
        gdImageCopyResampled(
            copy.image, image, 0, 0, 0, 0, copy.image.pointee.sx, copy.image.pointee.sy,
            image.pointee.sx, image.pointee.sy)
        return copy
    }

    /// The brightness of each pixel, as an eye sees it.
    ///
    /// - Returns: A byte a pixel, row by row.
    public func grayscale() -> [UInt8] {
        let (width, height) = (image.pointee.sx, image.pointee.sy)
        return [UInt8](unsafeUninitializedCapacity: Int(width) * Int(height)) { bytes, count in
            for y in 0..<height {
                for x in 0..<width {
                    let color = gdImageGetTrueColorPixel(image, x, y)
                    let (red, green) = ((color >> 16) & 0xFF, (color >> 8) & 0xFF)
                    let gray = (red * 299 + green * 587 + (color & 0xFF) * 114) / 1000
                    bytes[count] = UInt8(truncatingIfNeeded: gray)
                    count += 1
                }
            }
        }
    }

    /// Encodes the picture.
    ///
    /// - Parameter format: The file format; JPEG is written with quality 85.
    /// - Returns: The bytes of a file.
    /// - Throws: ``ImageFailure/noMemory(_:)``.
    public func encoded(as format: ImageFormat) throws(ImageFailure) -> [UInt8] {
        var count: Int32 = 0
        let data =
            switch format {
            case .jpeg: gdImageJpegPtr(image, &count, 85)
            case .png: gdImagePngPtr(image, &count)
            }
        guard let data else { throw .noMemory(size) }
        defer { gdFree(data) }
        return [UInt8](UnsafeRawBufferPointer(start: data, count: Int(count)))
    }

    /// Fills a rectangle; the part outside the picture is left out.
    ///
    /// - Parameters:
    ///   - origin: The upper left corner, `x` to the right and `y` down.
    ///   - size: How far it goes.
    ///   - color: 0xRRGGBB.
    public func fill(origin: (x: Int, y: Int), size: PixelSize, color: Int) {
        gdImageFilledRectangle(
            image, Int32(clamping: origin.x), Int32(clamping: origin.y),
            Int32(clamping: origin.x + size.width - 1),
            Int32(clamping: origin.y + size.height - 1), Int32(truncatingIfNeeded: color))
    }

    /// Fills a circle; the part outside the picture is left out.
    ///
    /// - Parameters:
    ///   - center: Its middle, `x` to the right and `y` down.
    ///   - diameter: How wide it is.
    ///   - color: 0xRRGGBB.
    public func fillCircle(center: (x: Int, y: Int), diameter: Int, color: Int) {
        gdImageFilledEllipse(
            image, Int32(clamping: center.x), Int32(clamping: center.y),
            Int32(clamping: diameter), Int32(clamping: diameter),
            Int32(truncatingIfNeeded: color))
    }
}
