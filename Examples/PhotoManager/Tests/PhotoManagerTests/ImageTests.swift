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

    @Test func pictureThatPromisesTooManyPixelsIsNotDecoded() throws {
        let image = try Image(size: PixelSize(width: 16, height: 16))
        var png = try image.encoded(as: .png)
        png.replaceSubrange(16..<24, with: [0, 1, 0, 0, 0, 1, 0, 0])
        let size = PixelSize(width: 65_536, height: 65_536)
        #expect(throws: ImageFailure.tooManyPixels(size, limit: Image.pixelLimit)) {
            _ = try Image(decoding: png)
        }
        var jpeg = try image.encoded(as: .jpeg)
        let frame = try #require(
            jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        jpeg.replaceSubrange((frame + 5)..<(frame + 9), with: [0xFF, 0xFF, 0xFF, 0xFF])
        let largest = PixelSize(width: 65_535, height: 65_535)
        #expect(throws: ImageFailure.tooManyPixels(largest, limit: Image.pixelLimit)) {
            _ = try Image(decoding: jpeg)
        }
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
