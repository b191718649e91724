import Foundation

/// The expected answer of the command that a fault's guide names.
struct FaultFinding: Sendable, CustomStringConvertible {
    let fault: String
    /// Indicates that `fault.clear()` undoes it; otherwise only a restart does.
    var clears = false
    /// The command's exit status.
    var status: Int32 = 7
    /// The expected parts of the answer, with one space between columns.
    let texts: [String]
    /// Another command that it leads to.
    var then: [String] = []
    var thenTexts: [String] = []
    /// Indicates that `stuck` finds nothing.
    var isNotStuck = false

    var description: String { fault }

    /// The number of times each is staged: once, or as often as the acceptance asks.
    static let rounds = ProcessInfo.processInfo.environment["TELLTALE_SOAK"] == "1" ? 5 : 1

    static let all = waiting + tutorials

    /// The wait-for relations: the waiting function, and the object it waits for.
    private static let waiting = [
        FaultFinding(
            fault: "ab-ba-sync",
            texts: [
                "DEADLOCK", "com.telltale.downloads -> com.telltale.photos",
                "AlbumExport.exportPhotosThenStampDownloads", "QueueFaults.swift:",
            ]),
        FaultFinding(
            fault: "sync-on-self",
            texts: [
                "DEADLOCK", "com.telltale.photos -> com.telltale.photos",
                "AlbumExport.renamePhotosWhileReading", "QueueFaults.swift:",
            ]),
        FaultFinding(
            fault: "main-waits",
            texts: [
                "DEADLOCK", "com.telltale.layout", "WallLayout.waitForLayout",
                "the main thread is blocked",
            ]),
        FaultFinding(
            fault: "barrier-behind-reader", clears: true,
            texts: [
                "STUCK", "queue com.telltale.photos", "PhotoBackup.readPhotosOntoStalledDisk",
                "a barrier waits", "PhotoBackup.renamePhotosBehindBarrier",
            ]),
        FaultFinding(
            fault: "suspended-queue", clears: true,
            texts: [
                "WAITS LONG", "queue com.telltale.downloads is suspended",
                "DownloadPause.retryDownloads",
            ]),
        FaultFinding(
            fault: "group-never-left",
            texts: ["STUCK", "BatchDownload.waitForBatch", "1 enter() without leave()"]),
        FaultFinding(
            fault: "semaphore-never-signalled",
            texts: ["STUCK", "UploadSlots.takeSlot", "no owner", "created with 2"]),
        FaultFinding(
            fault: "pool-exhausted", texts: ["STUCK", "FaceScan.waitForModel", "255 threads"]),
        FaultFinding(
            fault: "nslock-ab-ba",
            texts: ["DEADLOCK", "FaceIndex.addCachedThumbnails", "FaceIndex.dropThumbnails"]),
        FaultFinding(
            fault: "mutex-ab-ba",
            texts: ["DEADLOCK", "AlbumBook.renameAlbumOfCover", "com.telltale.covers"]),
        FaultFinding(
            fault: "queue-lock-queue",
            texts: ["DEADLOCK", "CacheTrimming.trimCacheUnderLock", "com.telltale.photos"]),
        FaultFinding(
            fault: "actor-continuation",
            texts: ["STUCK", "actor FaceDetector", "FaceDetector.askService(about:)"]),
        FaultFinding(
            fault: "tasks-await-each-other",
            texts: ["DEADLOCK", "AlbumAndCover.assembleAlbum", "AlbumAndCover.chooseCover"]),
        FaultFinding(
            fault: "operation-dependency", clears: true,
            texts: ["STUCK", "operation decode", "operation shrink", "nothing will start it"]),
        FaultFinding(
            fault: "operation-in-own-queue", clears: true,
            texts: [
                "DEADLOCK", "com.telltale.photos -> operation BlockOperation -> operation Publish",
                "closure #1 in PublishOperation.main()", "OperationFaults.swift:",
            ]),
    ]

    private static let tutorials = [
        FaultFinding(
            fault: "singleton-race", clears: true, status: 0,
            texts: ["#1 RacyManager", "#2 RacyManager"], isNotStuck: true),
        FaultFinding(
            fault: "reader-writer-race", clears: true, status: 0,
            texts: ["photos: [String] 50 elements", "added: 100"], isNotStuck: true),
        FaultFinding(
            fault: "spin-wait", clears: true, status: 0, texts: [" running "],
            then: ["stack"], thenTexts: ["SpinWait.waitForPhoto", "BusyFaults.swift:"],
            isNotStuck: true),
        FaultFinding(
            fault: "main-queue-starvation", clears: true, status: 0,
            texts: ["com.apple.main-thread", "no answer for"],
            then: ["stack"], thenTexts: ["MainResizing.resizeAllPhotosOnMain"]),
        // The background works on: nothing is stuck, and the touch waits longest.
        FaultFinding(
            fault: "priority-inversion", clears: true, status: 0,
            texts: [
                "longest wait: queue com.telltale.touches", "waits for lock", "held by thread",
            ],
            then: ["threads"], thenTexts: ["com.telltale.ranking"]),
        FaultFinding(
            fault: "leave-without-enter", clears: true, status: 0, texts: [" 3 "],
            isNotStuck: true),
        FaultFinding(
            fault: "semaphore-freed-in-use", clears: true, status: 0, texts: [" 6 7 "],
            isNotStuck: true),
        FaultFinding(
            fault: "timer-retain-cycle", clears: true, status: 0,
            texts: ["RepaintingCell 0x", "repaints: "],
            then: ["timers"], thenTexts: ["closure #1 in RepaintingCell.start()"],
            isNotStuck: true),
    ]
}
