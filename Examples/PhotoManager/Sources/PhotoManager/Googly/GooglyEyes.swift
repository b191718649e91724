import Imaging

/// Draws eyes that look everywhere.
enum GooglyEyes {
    /// Draws two eyes on each face.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - faces: Where its faces are.
    ///   - number: Where the eyes look; the same number gives the same look.
    static func draw(on image: borrowing Image, faces: [Face], number: Int) {
        for (position, face) in faces.enumerated() {
            // Both of one size, a third more than the larger eye, so that they can't be overlooked.
            let edge = face.eyes.map { max($0.width, $0.height) }.max() ?? 0
            for (side, eye) in face.eyes.enumerated() {
                draw(
                    on: image, eye: eye, diameter: max(6, edge * 4 / 3),
                    direction: number * 5 + position * 3 + side)
            }
        }
    }

    private static func draw(
        on image: borrowing Image, eye: Face.Area, diameter: Int, direction: Int
    ) {
        let center = (x: eye.x + eye.width / 2, y: eye.y + eye.height / 2)
        image.fillCircle(center: center, diameter: diameter + diameter / 8, color: 0x202020)
        image.fillCircle(center: center, diameter: diameter, color: 0xFFFFFF)
        let looks = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
        let look = looks[direction % looks.count]
        let pupil = (x: center.x + look.0 * diameter / 6, y: center.y + look.1 * diameter / 6)
        image.fillCircle(center: pupil, diameter: diameter / 2, color: 0x101010)
        let spark = (x: pupil.x - diameter / 12, y: pupil.y - diameter / 12)
        image.fillCircle(center: spark, diameter: max(2, diameter / 8), color: 0xFFFFFF)
    }
}
