extension ImageFormat {
    /// The size that the head of a file promises, without decoding it.
    ///
    /// - Parameter bytes: The whole file.
    /// - Returns: `nil` if no size is found; decoding then reports the problem.
    func sizeInHead(of bytes: [UInt8]) -> PixelSize? {
        switch self {
        case .png: Self.sizeOfPNG(bytes)
        case .jpeg: Self.sizeOfJPEG(bytes)
        }
    }

    /// A PNG file begins with eight bytes of its own and the chunk IHDR: width and height in four bytes each.
    private static func sizeOfPNG(_ bytes: [UInt8]) -> PixelSize? {
        guard bytes.count >= 24 else { return nil }
        return PixelSize(width: number(bytes[16..<20]), height: number(bytes[20..<24]))
    }

    /// A JPEG file is a row of segments; the one that begins a frame (SOF) has height and width.
    private static func sizeOfJPEG(_ bytes: [UInt8]) -> PixelSize? {
        var position = 2
        while position + 9 <= bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
            if isFrame {
                return PixelSize(
                    width: number(bytes[(position + 7)..<(position + 9)]),
                    height: number(bytes[(position + 5)..<(position + 7)]))
            }
            // Any number of fill bytes may precede a marker.
            position +=
                marker == 0xFF ? 1 : 2 + number(bytes[(position + 2)..<(position + 4)])
        }
        return nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
