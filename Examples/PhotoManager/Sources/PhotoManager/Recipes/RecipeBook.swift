import Dispatch
import Foundation

/// The running recipes' timers and threads, until ``stop()``.
@MainActor
final class RecipeBook {
    /// The number of repaints of the wall.
    let repaints = Counter()
    private var dispatchTimer: (any DispatchSourceTimer)?
    private var runLoopTimer: RunLoopTimer?
    /// The two that were cancelled last.
    private(set) var threads: CancelledThreads?
    private let manager: PhotoManager
    private let downloader: PhotoDownloader

    /// - Parameters:
    ///   - manager: Whose photos are downloaded once more.
    ///   - downloader: Gets them.
    init(photosOf manager: PhotoManager, downloader: PhotoDownloader) {
        self.manager = manager
        self.downloader = downloader
    }

    /// Begins a recipe on request.
    ///
    /// - Parameter name: Its name.
    /// - Throws: ``Options/Failure`` where there is none of that name.
    func run(named name: String) throws(Options.Failure) {
        guard let recipe = Recipe.named(name) else {
            throw Options.Failure(
                description: "no recipe '\(name)'; '--recipe list' names all of them")
        }
        recipe.run(self)
    }

    /// A dispatch timer on the main queue.
    func startDispatchTimer() {
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.setEventHandler { [repaints] in repaints.increment() }
        timer.schedule(deadline: .now(), repeating: .milliseconds(100), leeway: .milliseconds(10))
        timer.activate()
        dispatchTimer?.cancel()
        dispatchTimer = timer
        log("recipe dispatch-timer: repaints ten times a second")
    }

    /// A `Timer`, which needs a thread with a run loop: `dispatchMain()` runs none.
    func startRunLoopTimer() {
        runLoopTimer?.stop()
        let timer = RunLoopTimer(every: 0.1) { [repaints] in repaints.increment() }
        timer.start()
        runLoopTimer = timer
        log("recipe run-loop-timer: repaints ten times a second")
    }

    /// Two threads, cancelled at once.
    func startThreads() {
        threads?.endAtLast()
        let threads = CancelledThreads()
        threads.startAndCancel()
        self.threads = threads
        log("recipe threads: both are cancelled")
    }

    /// The photos of the wall once more, two at a time.
    func downloadBounded() {
        let (urls, token) = manager.queue.sync { (manager.items.map(\.url), manager.apiToken) }
        guard !urls.isEmpty else {
            log("recipe bounded: no photos to download; give some with --photos URL")
            return
        }
        BoundedDownloads.begin(urls, by: downloader, token: token) { outcome in
            log("recipe bounded: \(outcome.downloaded) photos, at most \(outcome.most) at once")
        }
    }

    /// Ends all timers and threads.
    func stop() {
        dispatchTimer?.cancel()
        dispatchTimer = nil
        runLoopTimer?.stop()
        runLoopTimer = nil
        threads?.endAtLast()
        log("recipes: stopped after \(repaints.value) repaints")
    }
}
