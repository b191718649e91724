/// A technique of the tutorials that a photo service needs only now and then, by itself:
/// `photo-manager --recipe NAME`, or `recipe.run("NAME")` in the running service.
struct Recipe: Sendable {
    /// The name, as typed.
    let name: String
    /// A one-line description of the recipe.
    let summary: String
    /// The agent's commands to try while it runs, or afterwards.
    let look: String
    /// Begins it. Reports its result with `log`.
    let run: @MainActor @Sendable (RecipeBook) -> Void

    /// All of them, in the tutorials' order.
    static let all = [
        Recipe(
            name: "main-after-background", summary: "work for a background queue, then for main",
            look: "threads"
        ) { _ in BackgroundThenMain.begin { log("recipe main-after-background: \($0)") } },
        Recipe(
            name: "random-numbers", summary: "10,000 random numbers are stored, read and sorted",
            look: "threads"
        ) { _ in
            RandomNumbers.begin { log("recipe random-numbers: \($0)") }
        },
        Recipe(
            name: "once", summary: "a thousand askers, for whom a value is made once",
            look: "roots OnceMade"
        ) { _ in
            log("recipe once: made \(OnceMade.ask(1_000)) time for 1000 askers")
        },
        Recipe(
            name: "serial-and-concurrent", summary: "three jobs of 1,000 numbers, in two queues",
            look: "queues"
        ) { _ in
            ThreeJobs.begin { log("recipe serial-and-concurrent: \($0)") }
        },
        Recipe(
            name: "dispatch-timer", summary: "a dispatch timer repaints the wall",
            look: "timers; repaints"
        ) { book in book.startDispatchTimer() },
        Recipe(
            name: "run-loop-timer", summary: "a Timer of a run loop repaints the wall",
            look: "threads; repaints"
        ) { book in book.startRunLoopTimer() },
        Recipe(
            name: "threads", summary: "two threads are cancelled, of which one does not look",
            look: "threads"
        ) { book in book.startThreads() },
        Recipe(
            name: "in-background", summary: "a thread for one piece of work, without a queue",
            look: "threads"
        ) { _ in
            InBackground.perform { log("recipe in-background: done by thread \($0)") }
        },
        Recipe(
            name: "bounded", summary: "a semaphore lets two of twelve downloads in at once",
            look: "semaphores --all"
        ) { book in book.downloadBounded() },
    ]

    /// The recipe of a name.
    static func named(_ name: String) -> Recipe? { all.first { $0.name == name } }

    /// A line for each.
    static var list: String {
        AlignedList.text(
            all.map { ($0.name, "\($0.summary) (telltale photo-manager \($0.look))") })
    }
}
