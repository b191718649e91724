import Foundation
import Imaging
import Synchronization
import Testing

@testable import photo_manager

/// The folder of the photos with faces.
let photoFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Photos")

/// OpenCV's part, where it was built.
private let finder = try? FaceFinder()

struct GooglyTests {
    @Test(
        "a face is found on each photo, with its eyes", .enabled(if: finder != nil),
        arguments: ["eileen-collins.jpg", "grace-hopper.jpg"])
    func faceIsFound(name: String) throws {
        let finder = try #require(finder)
        let file = try Data(contentsOf: photoFolder.appendingPathComponent(name))
        let image = try Image(decoding: [UInt8](file))
        let size = image.size
        let faces = finder.faces(in: image.grayscale(), width: size.width, height: size.height)
        #expect(!faces.isEmpty)
        let face = try #require(faces.first)
        #expect(face.area.width > size.width / 8)
        #expect(face.eyes.count == 2)
        let middle = face.area.x + face.area.width / 2
        #expect(face.eyes[0].x + face.eyes[0].width / 2 < middle)
        #expect(face.eyes[1].x + face.eyes[1].width / 2 > middle)
        for eye in face.eyes {
            #expect((face.area.y..<(face.area.y + face.area.height * 2 / 3)).contains(eye.y))
        }
    }

    @Test("a picture without a face has none", .enabled(if: finder != nil))
    func noFaceIsFound() throws {
        let finder = try #require(finder)
        let image = try Image(size: PixelSize(width: 200, height: 100))
        #expect(finder.faces(in: image.grayscale(), width: 200, height: 100).isEmpty)
        #expect(finder.faces(in: [], width: 200, height: 100).isEmpty)
    }

    @Test("a missing library and missing cascades are said")
    func whatIsMissing() throws {
        let failure = #expect(throws: FaceFailure.self) {
            _ = try FaceFinder(library: "/nowhere/libPhotoFaces.so")
        }
        #expect(failure?.description.contains("/nowhere/libPhotoFaces.so can't be loaded") == true)
        guard finder != nil else { return }
        #expect(throws: FaceFailure.noCascades("/nowhere")) {
            _ = try FaceFinder(cascades: "/nowhere")
        }
    }

    @Test("googly eyes are white around a pupil, wherever they look", arguments: 0..<8)
    func eyesAreDrawn(number: Int) throws {
        let image = try Image(size: PixelSize(width: 100, height: 80))
        let eye = Face.Area(x: 40, y: 30, width: 20, height: 20)
        let area = Face.Area(x: 0, y: 0, width: 100, height: 80)
        GooglyEyes.draw(on: image, faces: [Face(area: area, eyes: [eye])], number: number)
        let gray = image.grayscale()
        let white = gray.count { $0 == 255 }
        #expect((250..<600).contains(white), "\(white)")
        #expect(gray[0] == 0)
    }
}

struct OperationTests {
    @Test("an asynchronous operation is finished when it says so, and not before")
    func asynchronous() async throws {
        final class Later: AsynchronousOperation, @unchecked Sendable {
            let begun = Counter()
            override func main() { begun.increment() }
        }
        let (queue, later, after) = (OperationQueue(), Later(), Counter())
        let block = BlockOperation { after.increment() }
        block.addDependency(later)
        for operation in [later, block] { queue.addOperation(operation) }
        while later.begun.value == 0 { try await Task.sleep(for: .milliseconds(2)) }
        try await Task.sleep(for: .milliseconds(50))
        #expect(later.isExecuting && !later.isFinished && !block.isReady && after.value == 0)
        later.finish()
        later.finish()
        while after.value == 0 { try await Task.sleep(for: .milliseconds(2)) }
        #expect(later.isFinished && !later.isExecuting)
    }

    @Test("one that was cancelled before it began does nothing, and lets others go on")
    func cancelled() async throws {
        final class Never: AsynchronousOperation, @unchecked Sendable {
            override func main() { Issue.record("it began") }
        }
        let (queue, never, after) = (OperationQueue(), Never(), Counter())
        never.cancel()
        let block = BlockOperation { after.increment() }
        block.addDependency(never)
        for operation in [never, block] { queue.addOperation(operation) }
        while after.value == 0 { try await Task.sleep(for: .milliseconds(2)) }
        #expect(never.isFinished)
    }
}

#if HAS_MICROHTTPD
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct GooglyPipelineTests {
    @Test("photos go through five operations, and what fails ends with its reason")
    func pipeline() async throws {
        let server = try WebServer(port: 0) { path in
            let file = photoFolder.appendingPathComponent(path)
            guard let data = try? Data(contentsOf: file) else { return .missing(path) }
            return WebResponse(type: "image/jpeg", body: data)
        }
        let manager = PhotoManager()
        let library = Library(name: "Test", sources: [], token: "")
        let (cache, pictures) = (ThumbnailCache(capacity: 9), PictureCache(capacity: 1 << 24))
        let queue = DispatchQueue(label: "downloads", attributes: .concurrent)
        let googly = GooglyPipeline(
            library: library, fetcher: PhotoFetcher(patience: .init(), queue: queue),
            thumbnails: cache, pictures: pictures)
        let names = ["eileen-collins.jpg", "README.md", "grace-hopper.jpg", "nobody.jpg"]
        let requests = try names.map {
            let url = URL(string: "http://127.0.0.1:\(server.port)/\($0)")
            return PhotoRequest(url: try #require(url))
        }
        let failures = await withCheckedContinuation { continuation in
            manager.download(requests, from: googly, by: .operations) {
                continuation.resume(returning: $0)
            }
        }
        #expect(failures == 2)
        let photos = manager.read { photos in photos.map { ($0.url, $0.state, $0.faces) } }
        #expect(photos.map { $0.1 == .ready } == [true, false, true, false])
        #expect(photos[1].1 != photos[3].1)
        for (url, state, faces) in photos where state == .ready {
            let stored = try #require(pictures.picture(for: url))
            let original = try Data(
                contentsOf: photoFolder.appendingPathComponent(url.lastPathComponent))
            #expect(cache.thumbnail(for: url) != nil)
            if finder == nil {
                #expect(faces == nil && stored == original)
            } else {
                #expect((faces ?? 0) >= 1 && stored != original)
                #expect(ImageFormat(recognising: stored) == .jpeg)
            }
        }
    }
}
#endif
