/// Width and height of a picture, in pixels.
public struct PixelSize: Sendable, Equatable {
    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int

    /// Makes a size.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row.
    ///   - height: Rows.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// All of them; the most that an `Int` holds where that is too many.
    public var pixelCount: Int {
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : count
    }

    /// The largest size with the same shape that fits into a square; never larger than `self`.
    ///
    /// - Parameter edge: The square's edge, in pixels.
    /// - Returns: The size; each side is at least one pixel.
    public func fitting(edge: Int) -> PixelSize {
        let longest = max(width, height)
        guard longest > edge, longest > 0 else { return self }
        return PixelSize(
            width: max(1, width * edge / longest), height: max(1, height * edge / longest))
    }
}
