import Dispatch
import Foundation

/// The service: its parts, and its course from start to end.
@MainActor
final class Service {
    let options: Options
    let manager = PhotoManager.shared
    let library: Library
    let cache: ThumbnailCache
    let thumbnails: ThumbnailMaker
    let downloader: PhotoDownloader
    let googly: GooglyPipeline
    let store: PhotoStore
    let albums = AlbumStore()
    let wall = PhotoWall()
    let model = AlbumModel()
    let screen = AlbumScreen()
    let faults = FaultStage()
    let recipes: RecipeBook
    let pictures = PictureCache(capacity: 64 << 20)
    private(set) var server: WebServer?
    let started = ContinuousClock.now
    private let refreshing = DispatchSource.makeTimerSource(queue: .main)
    private var firstPhotosAreThere = false

    /// - Parameters:
    ///   - options: The command line.
    ///   - token: Sent with every download; empty for none.
    init(options: Options, token: String) {
        self.options = options
        library = Library(name: "Googly Puff", sources: options.sources, token: token)
        cache = ThumbnailCache(capacity: 1_000)
        thumbnails = ThumbnailMaker(library: library, cache: cache)
        downloader = PhotoDownloader(
            library: library, thumbnails: thumbnails,
            pictures: options.port == nil ? nil : pictures, patience: options.patience)
        googly = GooglyPipeline(
            library: library, fetcher: downloader.fetcher, thumbnails: cache,
            pictures: options.port == nil ? nil : pictures)
        store = PhotoStore(library: library, downloader: downloader)
        recipes = RecipeBook(photosOf: manager, downloader: downloader)
        manager.authorize(with: token)
    }

    /// Serves the album, where the command line asks for it.
    ///
    /// - Throws: ``WebFailure``.
    func serve() throws(WebFailure) {
        screen.follow(model)
        guard let port = options.port else { return }
        let routes = AlbumRoutes(
            manager: manager, thumbnails: cache, pictures: pictures, screen: screen)
        let server = try WebServer(port: port) { path in routes.respond(to: path) }
        self.server = server
        log("the album is served at http://127.0.0.1:\(server.port)/")
    }

    /// Downloads the sources' photos, now and at each refresh.
    func begin() {
        manager.updatePrompt(after: options.promptInterval)
        guard !options.sources.isEmpty else {
            log("no photos yet; give some with --photos URL")
            showWhatWasAskedFor()
            return
        }
        refreshing.setEventHandler {
            Task { @MainActor in
                do {
                    try await self.refresh()
                } catch {
                    log("\(error)")
                }
            }
        }
        refreshing.schedule(deadline: .now(), repeating: options.refreshDelay)
        refreshing.activate()
    }

    /// Downloads the sources' photos that the wall lacks.
    ///
    /// - Returns: How many photos are on their way.
    /// - Throws: ``PhotoFailure`` when a listing can't be read.
    @discardableResult
    func refresh() async throws(PhotoFailure) -> Int {
        let requests = try await store.refresh()
        if !requests.isEmpty || !firstPhotosAreThere { download(requests) }
        return requests.count
    }

    /// Takes every photo from the wall and downloads it again.
    ///
    /// - Parameter way: The name of a ``DownloadWay``.
    /// - Throws: ``Options/Failure`` if there is no such way.
    func downloadAgain(by way: String) throws(Options.Failure) {
        let way = try Options.way(way)
        let requests = manager.read { photos in
            photos.map { PhotoRequest(url: $0.url, title: $0.title) }
        }
        manager.put([])
        download(requests, by: way)
    }

    /// Adds photos to the wall.
    ///
    /// - Parameters:
    ///   - requests: The photos.
    ///   - way: The way; `nil` for that of the command line.
    func download(_ requests: [PhotoRequest], by way: DownloadWay? = nil) {
        let way = way ?? options.way
        let source: any PhotoSource = way == .operations ? googly : downloader
        manager.download(requests, from: source, by: way) { failures in
            self.wall.update(from: self.manager, failures: failures)
            self.manager.updatePrompt(after: self.options.promptInterval)
            log("\(requests.count - failures) photos downloaded, \(failures) failed")
            Task {
                await self.showAlbums()
                // Later, as albums are read on the photos' queue: a fault that takes that one has
                // main wait there only where the fault says so.
                self.showWhatWasAskedFor()
            }
        }
    }

    /// Sorts the photos into albums, and has the model show them.
    private func showAlbums() async {
        let document = manager.album(titled: library.name)
        await albums.sort(document.photos)
        model.show(document, albums: await albums.names)
    }

    /// Begins the load or the fault that the command line asks for, once.
    private func showWhatWasAskedFor() {
        guard !firstPhotosAreThere else { return }
        firstPhotosAreThere = true
        if let fault = options.fault.flatMap(Fault.named) { faults.stage(fault, in: self) }
        if let recipe = options.recipe { try? recipes.run(named: recipe) }
        if options.load > 0 {
            let urls = manager.read { photos in photos.map(\.url) }
            Load(of: self, photos: urls).begin(times: options.load)
        }
    }
}
