import Dispatch
import Foundation

/// What goes on of the recipes that go on: timers and threads, until ``stop()``.
@MainActor
final class RecipeBook {
    /// How often the wall was painted again.
    let repaints = Counter()
    private var dispatchTimer: (any DispatchSourceTimer)?
    private var runLoopTimer: RunLoopTimer?
    /// The two that were cancelled last.
    private(set) var threads: CancelledThreads?

    /// Begins a recipe on somebody's request.
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
