/// The symptoms of a fault, and the command of `telltale` that shows it.
struct FaultGuide: Sendable {
    /// The symptom that a user of the service sees.
    let seen: String
    /// The command typed after `telltale photo-manager`.
    let command: String
    /// The result of the command.
    let shows: String

    /// By the name of the fault; every fault has one.
    static let all = waiting.merging(tutorials) { first, _ in first }

    private static let waiting: [String: FaultGuide] = [
        "ab-ba-sync": .init(
            seen: "The album answers nobody any more.", command: "stuck",
            shows: "the circle of two queues, with the line of each sync"),
        "sync-on-self": .init(
            seen: "Nothing can be renamed, and soon nothing be read.", command: "stuck",
            shows: "the queue that waits for itself"),
        "main-waits": .init(
            seen: "The wall stands still.", command: "stuck",
            shows: "main and the queue that it waits for"),
        "barrier-behind-reader": .init(
            seen: "The page stops answering while photos are copied.", command: "stuck --after 1s",
            shows: "the reader that hangs, and the barrier behind it"),
        "suspended-queue": .init(
            seen: "Downloads that were asked for don't begin.", command: "stuck --strict",
            shows: "the suspended queue and its items"),
        "group-never-left": .init(
            seen: "A batch is never published.", command: "stuck",
            shows: "the enter() without a leave()"),
        "semaphore-never-signalled": .init(
            seen: "Uploads stop after the second that failed.", command: "stuck",
            shows: "the semaphore, its value, and that nobody would signal it"),
        "pool-exhausted": .init(
            seen: "Work that is sent to any queue doesn't begin.", command: "stuck",
            shows: "255 threads of Dispatch that wait at one line"),
        "nslock-ab-ba": .init(
            seen: "Thumbnails don't come any more.", command: "stuck",
            shows: "two locks and the threads that hold them"),
        "mutex-ab-ba": .init(
            seen: "No album can be renamed.", command: "stuck",
            shows: "the two mutexes and the queue between them"),
        "queue-lock-queue": .init(
            seen: "The cache and the photos hang together.", command: "stuck",
            shows: "the queue that waits for a lock, and its holder"),
        "actor-continuation": .init(
            seen: "Faces are never found.", command: "stuck",
            shows: "the continuation that nobody has any more"),
        "tasks-await-each-other": .init(
            seen: "An album never gets its cover.", command: "stuck",
            shows: "the two tasks"),
        "operation-dependency": .init(
            seen: "One thumbnail is missing for good.", command: "stuck",
            shows: "the operation that was never queued"),
        "operation-in-own-queue": .init(
            seen: "The page stops answering while an album is published.",
            command: "stuck",
            shows: "the operation, the one that waits behind it, and the line that waits"),
    ]

    private static let tutorials: [String: FaultGuide] = [
        "singleton-race": .init(
            seen: "Photos that were added are sometimes not there: there are two managers.",
            command: "instances RacyManager", shows: "two addresses where one should be"),
        "reader-writer-race": .init(
            seen: "Half of the photos that were added are gone.", command: "show RacyAlbum.shared",
            shows: "100 added, and 50 photos"),
        "spin-wait": .init(
            seen: "The machine is warm, and nothing is slow or stuck.", command: "threads",
            shows: "a thread that runs all the time; stack says where"),
        "main-queue-starvation": .init(
            seen: "The wall is never repainted, and no processor is free.",
            command: "queues",
            shows: "that main does not answer; stack says what runs on it"),
        "priority-inversion": .init(
            seen: "A touch is answered when the background is done.",
            command: "stuck",
            shows: "the longest wait: for which lock, and the thread that has it"),
        "leave-without-enter": .init(
            seen: "A batch is published too early, and a moment later the service ends.",
            command: "groups", shows: "3 to come where 4 are under way"),
        "semaphore-freed-in-use": .init(
            seen: "The service ends when the uploader goes.", command: "semaphores --all",
            shows: "a value below the one that it was made with, and nobody who waits"),
        "timer-retain-cycle": .init(
            seen: "Memory grows with each view that comes and goes.",
            command: "instances RepaintingCell",
            shows: "cells that nobody has; holders #N --path says why"),
    ]
}
