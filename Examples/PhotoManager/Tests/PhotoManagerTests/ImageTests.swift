import Imaging
import Testing

struct ImageTests {
    @Test(arguments: ImageFormat.allCases)
    func pictureSurvivesEncodingAndDecoding(format: ImageFormat) throws {
        let image = try Image(size: PixelSize(width: 40, height: 30))
        image.fillCircle(center: (20, 15), diameter: 20, color: 0xFF8000)
        let file = try image.encoded(as: format)
        #expect(ImageFormat(recognising: file) == format)
        let decoded = try Image(decoding: file)
        #expect(decoded.size == PixelSize(width: 40, height: 30))
    }

    @Test func thumbnailKeepsTheShape() throws {
        let image = try Image(size: PixelSize(width: 640, height: 320))
        let size = image.size.fitting(edge: 64)
        #expect(size == PixelSize(width: 64, height: 32))
        let thumbnail = try image.resampled(to: size)
        #expect(thumbnail.size == size)
        #expect(PixelSize(width: 10, height: 9).fitting(edge: 64).width == 10)
    }

    @Test func damagedFilesAreRefused() throws {
        let png = try Image(size: PixelSize(width: 200, height: 200)).encoded(as: .png)
        let half = Array(png.prefix(png.count / 2))
        #expect(throws: ImageFailure.damaged(.png, byteCount: half.count)) {
            _ = try Image(decoding: half)
        }
        #expect(throws: ImageFailure.unknownFormat(byteCount: 5)) {
            _ = try Image(decoding: Array("hello".utf8))
        }
    }
}
