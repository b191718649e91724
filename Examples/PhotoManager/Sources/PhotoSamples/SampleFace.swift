import Imaging

/// A painted face with googly eyes. The same number always gives the same face.
struct SampleFace {
    /// The titles of the tutorial's photos first, then further ones for a wall of faces.
    static let titles = [
        "Overly Attached Girlfriend", "Success Kid", "Lots of Faces", "Sunday Cyclists",
        "Aunt Tilda at the Sea", "Three Neighbours", "The Postman", "Graduation Day",
        "Football Team", "First Snow", "Queue at the Bakery", "Night Shift",
    ]

    let number: Int

    /// The title of its photo; from the thirteenth on, the titles come again with a number.
    var title: String {
        let title = Self.titles[number % Self.titles.count]
        let round = number / Self.titles.count
        return round == 0 ? title : "\(title) \(round + 1)"
    }

    /// Every third is a PNG file, as on the tutorial's wall.
    var format: ImageFormat { number % 3 == 2 ? .png : .jpeg }

    /// The title in small letters with hyphens.
    var fileName: String {
        let words = title.lowercased().split(separator: " ").joined(separator: "-")
        return "\(words).\(format == .png ? "png" : "jpg")"
    }

    /// Paints it.
    ///
    /// - Returns: The bytes of a file.
    /// - Throws: ``ImageFailure/noMemory(_:)``.
    func painted() throws(ImageFailure) -> [UInt8] {
        let size = PixelSize(width: 480 + number * 37 % 320, height: 360 + number * 53 % 240)
        let image = try Image(size: size)
        for y in 0..<size.height {
            let shade = 90 + 120 * y / size.height
            image.fill(
                origin: (0, y), size: PixelSize(width: size.width, height: 1),
                color: shade << 16 | (shade * (3 + number % 5) / 8) << 8 | 0xC0)
        }
        let middle = (x: size.width / 2, y: size.height / 2)
        let face = min(size.width, size.height) * 3 / 4
        image.fillCircle(center: middle, diameter: face, color: 0xF2C9A0)
        for side in [-1, 1] {
            let eye = (x: middle.x + side * face / 5, y: middle.y - face / 8)
            image.fillCircle(center: eye, diameter: face / 4, color: 0xFFFFFF)
            let pupil = (x: eye.x + (number * 7 % 11 - 5) * face / 120, y: eye.y + face / 24)
            image.fillCircle(center: pupil, diameter: face / 9, color: 0x101010)
        }
        let mouth = PixelSize(width: face / 3, height: max(2, face / (10 + number % 7)))
        image.fill(
            origin: (middle.x - mouth.width / 2, middle.y + face / 5), size: mouth, color: 0x902030)
        return try image.encoded(as: format)
    }
}
