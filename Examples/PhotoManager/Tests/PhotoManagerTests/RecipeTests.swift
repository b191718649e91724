import Dispatch
import Foundation
import Imaging
import Testing

@testable import photo_manager

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct RecipeTests {
    private let downloader: PhotoDownloader

    init() {
        let library = Library(name: "Recipes", sources: [], token: "")
        downloader = PhotoDownloader(
            library: library,
            thumbnails: ThumbnailMaker(library: library, cache: ThumbnailCache(capacity: 100)))
    }

    private func book() -> RecipeBook {
        RecipeBook(photosOf: PhotoManager(), downloader: downloader)
    }

    private func until(_ isTrue: () -> Bool) async throws {
        while !isTrue() { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test func everyRecipeHasANameOfItsOwn() throws {
        #expect(Set(Recipe.all.map(\.name)).count == Recipe.all.count)
        for recipe in Recipe.all {
            #expect(try Options(["--recipe", recipe.name]).recipe == recipe.name)
            #expect(Recipe.list.contains(recipe.summary) && Recipe.list.contains(recipe.look))
        }
        #expect(throws: Options.Failure.self) { try book().run(named: "nope") }
    }

    @Test func valueIsMadeOnce() {
        #expect(OnceMade.ask(1_000) == 1)
        #expect(OnceMade.ask(1_000) == 1)
    }

    @Test func serialQueueKeepsTheOrderOfThreeJobs() async {
        let text = await withCheckedContinuation { continuation in
            ThreeJobs.begin { continuation.resume(returning: $0) }
        }
        #expect(text == "serial in order, concurrent all of 3000 numbers")
    }

    @Test func numbersAreStoredReadAndSorted() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("recipe-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let numbers = try RandomNumbers.sortedNumbers(in: folder)
        #expect(numbers.count == 10_000 && numbers == numbers.sorted())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func semaphoreLetsTwoDownloadAtOnce() async throws {
        let photos = [try temporaryPhoto(), try temporaryPhoto()]
        defer { for photo in photos { try? FileManager.default.removeItem(at: photo) } }
        let downloader = downloader
        let outcome = await withCheckedContinuation { continuation in
            BoundedDownloads.begin(photos, by: downloader, token: "") {
                continuation.resume(returning: $0)
            }
        }
        #expect((1...2).contains(outcome.most) && outcome.downloaded == 12)
        let gone = await withCheckedContinuation { continuation in
            let missing = photos[0].appendingPathExtension("missing")
            BoundedDownloads.begin([photos[1], missing], by: downloader, token: "") {
                continuation.resume(returning: $0)
            }
        }
        #expect((1...2).contains(gone.most) && gone.downloaded == 6)
    }

    private func temporaryPhoto() throws -> URL {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("recipe-\(UUID().uuidString).png")
        let image = try Image(size: PixelSize(width: 64, height: 48))
        try Data(image.encoded(as: .png)).write(to: url)
        return url
    }

    @Test func workGoesToTheBackgroundAndFromThereToMain() async {
        let text = await withCheckedContinuation { continuation in
            BackgroundThenMain.begin { continuation.resume(returning: $0) }
        }
        #expect(text == "1 to 1000 make 500500")
    }

    @Test func workOfAThreadIsDoneByAThreadOfThatName() async {
        let name = await withCheckedContinuation { continuation in
            InBackground.perform { continuation.resume(returning: $0) }
        }
        #expect(name == "background")
    }

    @Test func timersRepaintUntilTheyAreStopped() async throws {
        for start in [RecipeBook.startDispatchTimer, RecipeBook.startRunLoopTimer] {
            let book = book()
            start(book)()
            try await until { book.repaints.value >= 2 }
            book.stop()
            // A repaint that was under way may still come.
            try await Task.sleep(for: .milliseconds(150))
            let painted = book.repaints.value
            try await Task.sleep(for: .milliseconds(250))
            #expect(book.repaints.value == painted)
        }
    }

    @Test func cancelledThreadEndsOnlyWhereItLooks() async throws {
        let book = book()
        book.startThreads()
        try await until { book.threads?.obedientHasEnded == true }
        try await Task.sleep(for: .milliseconds(150))
        #expect(book.threads?.stubbornHasEnded == false)
        book.stop()
        try await until { book.threads?.stubbornHasEnded == true }
    }

    @Test func promptComesAfterItsDelayAndNotWhenAPhotoCameFirst() async throws {
        let empty = PhotoManager()
        empty.updatePrompt(after: .milliseconds(600))
        #expect(empty.readAlbum { $1 } == nil)
        try await until { empty.readAlbum { $1 } == PhotoManager.emptyPrompt }
        let filled = PhotoManager()
        filled.updatePrompt(after: .milliseconds(600))
        let url = try #require(URL(string: "http://127.0.0.1:9/a.jpg"))
        _ = filled.addWaiting(PhotoRequest(url: url))
        filled.put([])
        try await Task.sleep(for: .milliseconds(900))
        #expect(filled.readAlbum { $1 } == nil)
        // It goes when a photo comes, too.
        _ = empty.addWaiting(PhotoRequest(url: url))
        #expect(empty.readAlbum { $1 } == nil)
    }
}
