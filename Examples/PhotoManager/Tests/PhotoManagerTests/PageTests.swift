import Foundation
import Imaging
import Testing

@testable import photo_manager

#if HAS_MICROHTTPD
/// The page as a browser shows it, where there is one.
@Suite(.serialized, .enabled(if: Browser.path != nil), .timeLimit(.minutes(2)))
struct PageTests {
    private let asked = Counter()

    /// A server whose album is another one each time that it is asked for; nil for no answer.
    private func server(
        _ album: @escaping @Sendable (_ time: Int) -> AlbumDocument?
    ) throws -> WebServer {
        let (asked, png) = (
            asked, Data(try Image(size: PixelSize(width: 8, height: 8)).encoded(as: .png))
        )
        return try WebServer(port: 0) { path in
            switch path {
            case "/": return .text(AlbumPage.html, type: "text/html; charset=utf-8")
            case "/album.json":
                asked.increment()
                guard let document = album(asked.value),
                    let data = try? JSONEncoder().encode(document)
                else { return .missing("album") }
                return WebResponse(type: "application/json", body: data)
            case "/photos/1", "/thumbnails/1": return WebResponse(type: "image/png", body: png)
            default: return .missing(path)
            }
        }
    }

    private static func album(_ prompt: String) -> AlbumDocument {
        AlbumDocument(
            title: "Googly Puff", prompt: prompt,
            photos: [
                .init(
                    id: 1, title: "Success <Kid>", state: "ready", attempts: 1, troubles: [],
                    width: 64, height: 48, bytes: 2_000, faces: 2, photo: "/photos/1",
                    thumbnail: "/thumbnails/1"),
                .init(
                    id: 2, title: "Nobody", state: "failed", failure: "the server says 404",
                    attempts: 3, troubles: []),
            ])
    }

    @Test("photos are shown with their faces, and what failed with its reason")
    func photosAreShown() async throws {
        let server = try server { _ in Self.album("Add photos") }
        let page = try await Browser.text(of: "http://127.0.0.1:\(server.port)/", seconds: 3)
        for text in [
            "Googly Puff (2)", ">Add photos</p>", "<b>Success &lt;Kid&gt;</b>",
            "64 × 48 · 2 kB · 2 faces", "<img alt=\"Success &lt;Kid&gt;\" src=\"/photos/1\"",
            "<figure class=\"failed\">", "the server says 404",
        ] {
            #expect(page.contains(text), "no \(text) in \(page.suffix(1_500))")
        }
        #expect(!page.contains("class=\"silent\""))
    }

    @Test("the page updates itself")
    func pageUpdatesItself() async throws {
        let server = try server { time in Self.album("number \(time > 2 ? "three" : "one")") }
        let page = try await Browser.text(of: "http://127.0.0.1:\(server.port)/", seconds: 6)
        #expect(page.contains(">number three</p>"), "\(page.suffix(1_500))")
        #expect(page.components(separatedBy: "<figure").count == 3)
    }

    @Test("the page says that nobody answers")
    func silenceIsSaid() async throws {
        let server = try server { time in time == 1 ? Self.album("once") : nil }
        let page = try await Browser.text(of: "http://127.0.0.1:\(server.port)/", seconds: 8)
        #expect(page.contains("class=\"silent\""), "\(page.suffix(1_500))")
        #expect(page.contains("The album has not answered for"))
        #expect(page.contains(">once</p>"))
    }
}

/// Chromium without a window.
enum Browser {
    static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// The document of a page some seconds after it was opened.
    static func text(of address: String, seconds: Int) async throws -> String {
        let profile = FileManager.default.temporaryDirectory
            .appendingPathComponent("browser-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: profile) }
        let browser = Process()
        browser.executableURL = URL(fileURLWithPath: try #require(path))
        browser.arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--no-first-run", "--disable-background-networking", "--disable-component-update",
            "--user-data-dir=\(profile.path)", "--virtual-time-budget=\(seconds * 1_000)",
            "--dump-dom", address,
        ]
        let output = Pipe()
        browser.standardOutput = output
        browser.standardError = FileHandle.nullDevice
        browser.standardInput = FileHandle.nullDevice
        try browser.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        browser.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
#endif
