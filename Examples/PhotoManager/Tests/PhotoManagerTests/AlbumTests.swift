import Foundation
import Testing

@testable import photo_manager

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct AlbumTests {
    private func entry(_ id: Int, state: String = "ready", faces: Int? = nil) -> AlbumDocument.Entry
    {
        AlbumDocument.Entry(
            id: id, title: "Photo \(id)", state: state, attempts: 1, troubles: [], faces: faces)
    }

    @Test func photosAreSortedIntoAlbums() async {
        let store = AlbumStore()
        await store.sort([
            entry(1, faces: 1), entry(2, faces: 4), entry(3, faces: 0), entry(4),
            entry(5, state: "failed"), entry(6, faces: 1),
        ])
        #expect(
            await store.names == ["Everything", "Failed", "Groups", "Portraits", "Without faces"])
        #expect(await store.titles(of: "Portraits") == ["Photo 1", "Photo 6"])
        #expect(await store.titles(of: "Nothing").isEmpty)
        await store.sort([])
        #expect(await store.names.isEmpty)
        #expect(await store.sortings == 2)
    }

    @Test func screenIsDrawnAgainWhenTheModelChanges() async throws {
        let (model, screen) = (AlbumModel(), AlbumScreen())
        screen.follow(model)
        #expect(screen.header == AlbumScreen.Header(title: "Googly Puff", prompt: nil))
        model.prompt = "WOOT!"
        while screen.header.prompt != "WOOT!" { try await Task.sleep(for: .milliseconds(2)) }
        #expect(screen.drawingCount == 2)
        // The list is not drawn by it.
        let document = AlbumDocument(title: "Googly Puff", prompt: "WOOT!", photos: [entry(1)])
        model.show(document, albums: ["Everything"])
        #expect(model.photos.count == 1 && model.albums == ["Everything"])
    }

    @Test func albumIsServedWithThePromptOfTheScreen() async throws {
        let (model, screen, manager) = (AlbumModel(), AlbumScreen(), PhotoManager())
        model.prompt = "WOOT!"
        screen.follow(model)
        let routes = AlbumRoutes(
            manager: manager, thumbnails: ThumbnailCache(capacity: 1),
            pictures: PictureCache(capacity: 1), screen: screen)
        let answer = routes.respond(to: "/album.json")
        let document = try JSONDecoder().decode(AlbumDocument.self, from: answer.body)
        #expect(document.prompt == "WOOT!" && document.title == "Googly Puff")
    }
}
