import Foundation
import Imaging
import Testing

@testable import photo_manager

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if HAS_MICROHTTPD
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct WebServerTests {
    /// Asks a server on this machine.
    private func get(
        _ path: String, from server: WebServer, method: String = "GET"
    ) async throws -> (status: Int, type: String, body: Data) {
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)"))
        var request = URLRequest(url: url, timeoutInterval: 20)
        request.httpMethod = method
        if method == "POST" { request.httpBody = Data(repeating: 7, count: 100_000) }
        let (data, response) = try await URLSession.shared.data(for: request)
        let http = try #require(response as? HTTPURLResponse)
        return (http.statusCode, http.value(forHTTPHeaderField: "Content-Type") ?? "", data)
    }

    /// An album with one photo, served.
    private func server(of manager: PhotoManager) throws -> (WebServer, URL, Data) {
        let (thumbnails, pictures) = (ThumbnailCache(capacity: 4), PictureCache(capacity: 1 << 20))
        let url = try #require(URL(string: "http://127.0.0.1:9/success-kid.png"))
        let png = Data(try Image(size: PixelSize(width: 30, height: 20)).encoded(as: .png))
        pictures.insert(png, for: url)
        thumbnails.insert(Thumbnail(size: PixelSize(width: 3, height: 2), png: png), for: url)
        let photo = Photo(id: 1, title: "Success Kid", url: url)
        (photo.state, photo.size) = (.ready, PixelSize(width: 30, height: 20))
        let failed = Photo(id: 2, title: "Nothing", url: url)
        failed.state = .failed("the server says 404")
        manager.put([photo, failed])
        let screen = AlbumScreen()
        screen.follow(AlbumModel())
        let routes = AlbumRoutes(
            manager: manager, thumbnails: thumbnails, pictures: pictures, screen: screen)
        return (try WebServer(port: 0) { path in routes.respond(to: path) }, url, png)
    }

    @Test func albumPhotosThumbnailsAndPageAreServed() async throws {
        let (server, _, png) = try server(of: PhotoManager())
        let album = try await get("/album.json", from: server)
        #expect(album.status == 200 && album.type == "application/json")
        let document = try JSONDecoder().decode(AlbumDocument.self, from: album.body)
        #expect(document.title == "Googly Puff" && document.prompt == nil)
        #expect(document.photos.map(\.title) == ["Success Kid", "Nothing"])
        #expect(document.photos.map(\.state) == ["ready", "failed"])
        #expect(document.photos.last?.failure == "the server says 404")
        let photo = try await get(try #require(document.photos[0].photo), from: server)
        #expect(photo.status == 200 && photo.type == "image/png" && photo.body == png)
        let thumbnail = try await get(try #require(document.photos[0].thumbnail), from: server)
        #expect(thumbnail.status == 200 && thumbnail.body == png)
        let page = try await get("/", from: server)
        #expect(page.type.hasPrefix("text/html"))
        #expect(String(decoding: page.body, as: UTF8.self).contains("fetch(\"/album.json\""))
        #expect(server.requestCount == 4)
    }

    @Test func whatIsNotThereIsRefused() async throws {
        let (server, _, _) = try server(of: PhotoManager())
        for path in ["/photos/2000", "/photos/x", "/thumbnails/9", "/etc/passwd", "/photos/1/2"] {
            #expect(try await get(path, from: server).status == 404, "\(path)")
        }
        let refused = try await get("/album.json", from: server, method: "POST")
        #expect(refused.status == 405)
        #expect(String(decoding: refused.body, as: UTF8.self).contains("GET, not POST"))
    }

    @Test func portInUseIsSaid() throws {
        let (server, _, _) = try server(of: PhotoManager())
        let port = server.port
        #expect(throws: WebFailure.portInUse(port)) {
            _ = try WebServer(port: port) { _ in .missing("page") }
        }
        #expect(WebFailure.portInUse(port).description.contains("port \(port) of 127.0.0.1"))
    }

    @Test func serverEndsWithItsObject() throws {
        let port: Int
        do {
            let (server, _, _) = try server(of: PhotoManager())
            port = server.port
        }
        let again = try WebServer(port: port) { _ in .missing("page") }
        #expect(again.port == port)
    }
}
#endif

struct PictureCacheTests {
    @Test func fullCacheForgetsTheOldest() throws {
        let urls = try (0..<4).map { try #require(URL(string: "http://h/\($0).png")) }
        let cache = PictureCache(capacity: 25)
        for url in urls.prefix(3) { cache.insert(Data(count: 10), for: url) }
        #expect(cache.picture(for: urls[0]) == nil)
        #expect(cache.picture(for: urls[2])?.count == 10)
        #expect(cache.byteCount == 20)
        cache.insert(Data(count: 12), for: urls[2])
        #expect(cache.byteCount == 22)
        cache.insert(Data(count: 26), for: urls[3])
        #expect(cache.picture(for: urls[3]) == nil)
        #expect(cache.byteCount == 0)
    }
}
