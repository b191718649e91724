import TelltaleSystem
import TelltaleTestSupport
import Testing

/// `stuck` on the photo manager's gallery of faults, and on one that is well.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct StuckTests {
    /// A fault, and its expected first screen.
    struct Expectation: Sendable, CustomTestStringConvertible {
        var fault: String
        /// The beginning of the first line.
        var word = "STUCK"
        /// Further options: the threshold of a slow reader is ten seconds, which is too long for a
        /// test.
        var options = ""
        /// The source file, and the text of the line that is to be named.
        var file: String
        var lines: [String]
        var texts: [String]

        var testDescription: String { fault }
    }

    static let expectations = [
        Expectation(
            fault: "ab-ba-sync", word: "DEADLOCK", file: "QueueFaults.swift",
            lines: ["downloads.sync(flags: .barrier) {}"],
            texts: [
                "AlbumExport.exportPhotosThenStampDownloads",
                "AlbumExport.stampDownloadsThenExportPhotos",
                "com.telltale.photos", "com.telltale.downloads", "barrier sync to",
            ]),
        Expectation(
            fault: "sync-on-self", word: "DEADLOCK", file: "QueueFaults.swift", lines: [],
            texts: [
                "AlbumExport.renamePhotosWhileReading", "QueueFaults.swift:",
                "com.telltale.photos -> com.telltale.photos",
            ]),
        Expectation(
            fault: "main-waits", word: "DEADLOCK", file: "QueueFaults.swift",
            lines: ["queue.sync {}", "DispatchQueue.main.sync {}"],
            texts: [
                "WallLayout.waitForLayout", "WallLayout.measureTitlesOnMain",
                "com.telltale.layout", "the main thread is blocked",
            ]),
        Expectation(
            fault: "barrier-behind-reader", options: "--after 1s", file: "QueueFaults.swift",
            lines: ["disk.fileHandleForReading.readData(ofLength: 1)"],
            texts: ["PhotoBackup.readPhotosOntoStalledDisk", "com.telltale.photos", "read"]),
        Expectation(
            fault: "suspended-queue", word: "WAITS LONG", options: "--strict",
            file: "QueueFaults.swift", lines: [],
            texts: [
                "queue com.telltale.downloads is suspended", "DownloadPause.retryDownloads",
                "QueueFaults.swift:", "until it calls resume()",
            ]),
        Expectation(
            fault: "group-never-left", file: "WaitingFaults.swift", lines: ["batch.wait()"],
            texts: [
                "BatchDownload.waitForBatch", "com.telltale.publishing",
                "1 enter() without leave()",
            ]),
        Expectation(
            fault: "semaphore-never-signalled", file: "WaitingFaults.swift",
            lines: ["slots.wait()"],
            texts: ["UploadSlots.takeSlot", "com.telltale.uploads", "no owner", "created with 2"]),
        Expectation(
            fault: "pool-exhausted", file: "WaitingFaults.swift", lines: ["model.wait()"],
            texts: ["FaceScan.waitForModel", "255 threads", "com.apple.root.default-qos"]),
        Expectation(
            fault: "nslock-ab-ba", word: "DEADLOCK", file: "LockFaults.swift",
            lines: ["lock.withLock { faces["],
            texts: ["FaceIndex.addCachedThumbnails", "FaceIndex.dropThumbnails", "held by thread"]
        ),
        Expectation(
            fault: "mutex-ab-ba", word: "DEADLOCK", file: "LockFaults.swift",
            lines: ["titles.withLock { $0 = covers }", "reading.sync {}"],
            texts: [
                "AlbumBook.renameAlbumOfCover", "AlbumBook.chooseCoverOfAlbum",
                "AlbumBook.readCovers", "Mutex 0x", "com.telltale.covers",
            ]),
        Expectation(
            fault: "queue-lock-queue", word: "DEADLOCK", file: "LockFaults.swift",
            lines: ["photos.sync {}"],
            texts: [
                "CacheTrimming.trimCacheUnderLock", "CacheTrimming.countThumbnailsOnQueue",
                "com.telltale.photos",
            ]),
        Expectation(
            fault: "actor-continuation", file: "TaskFaults.swift", lines: [],
            texts: [
                "actor FaceDetector", "FaceDetector.askService(about:)", "TaskFaults.swift:",
                "faces of",
            ]),
        Expectation(
            fault: "tasks-await-each-other", word: "DEADLOCK", file: "TaskFaults.swift",
            lines: ["let chosen = await cover", "let photos = await album"],
            texts: ["AlbumAndCover.assembleAlbum", "AlbumAndCover.chooseCover", "album", "cover"]),
        Expectation(
            fault: "operation-dependency", file: "OperationFaults.swift",
            lines: ["operations.waitUntilAllOperationsAreFinished()"],
            texts: [
                "operation decode", "operation shrink", "ThumbnailBacklog.waitForThumbnails",
                "com.telltale.publishing", "nothing will start it",
            ]),
        Expectation(
            fault: "operation-in-own-queue", word: "DEADLOCK", file: "OperationFaults.swift",
            lines: ["cover.waitUntilFinished()"],
            texts: [
                "com.telltale.photos -> operation BlockOperation -> operation PublishOperation",
                "closure #1 in PublishOperation.main()",
            ]),
    ]

    @Test(
        "each fault is named by the first screen, with its function and line",
        arguments: expectations)
    func gallery(_ expected: Expectation) throws {
        var places: [String] = []
        for line in expected.lines { places.append(try Self.place(line, in: expected.file)) }
        for run in 0..<(Soak.isOn ? 20 : 1) {
            let service = try PhotoService(photos: 1, fault: expected.fault)
            // A capture without enough time reports nothing yet; the fault stays.
            let command = Self.patient + " " + expected.options
            var outcome = try service.shell(command)
            let deadline = MonotonicTime.now.advanced(by: .seconds(20))
            while outcome.status == 0 || outcome.status == 5, .now < deadline {
                outcome = try service.shell(command)
            }
            #expect(outcome.status == 7, "run \(run): \(outcome.text)")
            #expect(outcome.text.hasPrefix(expected.word), "run \(run): \(outcome.text)")
            for text in expected.texts + places {
                #expect(outcome.text.contains(text), "run \(run): no \(text) in \(outcome.text)")
            }
        }
    }

    private static let patient = "telltale --timeout 30s photo-manager stuck"

    /// Returns the location of a text: `QueueFaults.swift:54`.
    private static func place(_ text: String, in file: String) throws -> String {
        let path =
            "\(RepositoryFile.root)/Examples/PhotoManager/Sources/PhotoManager/Faults/\(file)"
        let source = try #require(SmallFile.text(of: path, limit: 1 << 20))
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let index = try #require(lines.firstIndex { $0.contains(text) }, "no \(text) in \(file)")
        return "\(file):\(index + 1)"
    }

    private func expectHealthy(_ service: PhotoService) throws {
        // A look that found no processor in time is cut, and says so; none may find anything.
        var outcome = try service.shell("telltale photo-manager stuck")
        for _ in 0..<5 where outcome.status == 5 {
            outcome = try service.shell("telltale photo-manager stuck")
        }
        #expect(outcome.status == 0, "\(outcome.text)")
        #expect(outcome.lines.count == 1, "\(outcome.text)")
        let lower = outcome.text.lowercased()
        #expect(!lower.contains("stuck") && !lower.contains("deadlock"), "\(outcome.text)")
    }

    @Test("a service that is well gets one line and exit status 0")
    func healthy() throws {
        let service = try PhotoService()
        for _ in 0..<(Soak.isOn ? 100 : 5) {
            try expectHealthy(service)
        }
    }

    @Test("who burns a core is no finding, and is named with the place")
    func burner() throws {
        let service = try PhotoService(photos: 1, fault: "spin-wait")
        let pattern = #/busy: thread \d+ .*BusyFaults\.swift:\d+ \(\d+% of a core\)/#
        try waitUntil("the thread that spins is named") {
            let outcome = try service.shell("telltale photo-manager stuck")
            #expect(outcome.status == 0, "\(outcome.text)")
            return outcome.text.contains(pattern)
        }
    }

    @Test("a service under full load gets one line, for ten minutes")
    func load() throws {
        let service = try PhotoService(options: ["--load"])
        let end = MonotonicTime.now.advanced(by: .seconds(Soak.isOn ? 600 : 10))
        while .now < end { try expectHealthy(service) }
    }

    @Test("the dump of SIGUSR1 begins with what stuck says")
    func dump() throws {
        let service = try PhotoService(photos: 1, fault: "ab-ba-sync")
        _ = try service.shell("kill -USR1 \(service.process.pid)")
        let text = try service.waitFor(" END ")
        let lines = text.split(separator: "\n").filter { $0.contains("] d1 ") }
        let verdict = try #require(lines.first { $0.contains("VERDICT") })
        #expect(verdict.contains("DEADLOCK"), "\(verdict)")
        #expect(verdict.contains("com.telltale.photos -> com.telltale.downloads"), "\(verdict)")
        let index = try #require(lines.firstIndex(of: verdict))
        #expect(index <= 2)
        #expect(lines[lines.index(after: index)].contains("DEADLOCK since"))
        #expect(text.contains("AlbumExport.stampDownloadsThenExportPhotos"))
    }

    @Test("the hang watch writes one dump that names who hangs, and holds off")
    func hangWatch() throws {
        for _ in 0..<(Soak.isOn ? 50 : 1) {
            let service = try PhotoService(
                photos: 1, environment: ["TELLTALE_HANG_WATCH": "1000"], fault: "ab-ba-sync")
            let began = MonotonicTime.now
            let dump = try service.waitFor(" END ")
            // The fault was complete at that message; the time until it is reported is for the
            // benchmarks.
            #expect(MonotonicTime.now.since(began) < .seconds(15))
            #expect(dump.contains("by the hang watch"), "\(dump)")
            #expect(dump.contains("made no progress for 1."), "\(dump)")
            #expect(dump.contains("DEADLOCK"), "\(dump)")
            #expect(try service.shell("telltale photo-manager dump d2").status != 0)
        }
    }

    @Test("the hang watch is switched on and off by a client, and not fooled by a stop")
    func hangWatchByClient() throws {
        let service = try PhotoService(photos: 1)
        let on = try service.shell("telltale photo-manager watch stuck --every 3s")
        #expect(on.status == 0, "\(on.text)")
        #expect(on.text.hasPrefix("hang watch: on; "), "\(on.text)")
        #expect(on.text.contains("3.0 s") || on.text.contains("3 s"), "\(on.text)")
        let pid = service.process.pid
        // The patience is longer than another process has the processor, the stop longer than that.
        _ = try service.shell(
            "kill -STOP \(pid); sleep \(Soak.isOn ? 25 : 8); kill -CONT \(pid); sleep 4")
        #expect(try service.shell("telltale photo-manager dump d1").status != 0)
        let off = try service.shell("telltale photo-manager watch stuck off")
        #expect(off.status == 0 && off.text.contains("off"), "\(off.text)")
    }
}
