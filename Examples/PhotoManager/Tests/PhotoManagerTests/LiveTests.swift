import Foundation
import Testing

@testable import photo_manager

/// The agent's view of the running service.
@Suite(.serialized, .enabled(if: RunningService.canRun), .timeLimit(.minutes(4)))
struct LiveTests {
    @Test("the early completion is seen, and is mended by another way of downloading")
    func earlyCompletion() throws {
        let service = try RunningService(["--downloads", "early"])
        let before = try service.session(
            "suspend com.telltale.downloads", "downloads.again(\"early\")",
            "get photos.items where state == .downloading count", "quit")
        #expect(before.status == 0 && before.lines.contains("2"), "\(before.text)")
        // It had said so although nothing could be there: at the start, and again.
        try service.wait("it said so twice") {
            service.log.components(separatedBy: "2 photos downloaded, 0 failed").count == 3
        }
        try service.wait("both are there") {
            try service.telltale("get", "photos.items where state == .ready count").text == "2\n"
        }
        let after = try service.session(
            "suspend com.telltale.downloads", "downloads.again(\"notify\")",
            "get photos.items where state == .downloading count", "quit")
        #expect(after.lines.contains("2"), "\(after.text)")
        try service.wait("the third time when they were there") {
            service.log.components(separatedBy: "2 photos downloaded, 0 failed").count == 4
        }
        let ready = try service.telltale("get", "photos.items where state == .ready count")
        #expect(ready.text == "2\n")
        let wrong = try service.telltale("downloads.again(\"slowly\")")
        #expect(wrong.status == 1 && wrong.text.contains("no way 'slowly'"), "\(wrong.text)")
    }

    @Test("work items that were cancelled are seen as such in their queue")
    func cancelledItems() throws {
        let service = try RunningService()
        let shown = try service.session(
            "suspend com.telltale.items", "downloads.again(\"items\")", "queue com.telltale.items",
            "quit")
        #expect(shown.text.contains("PhotoManager.itemDownload"), "\(shown.text)")
        #expect(shown.lines.count { $0.contains("cancelled") } == 1, "\(shown.text)")
        try service.wait(for: "1 photos downloaded, 1 failed")
        let troubles = try service.telltale("get", "photos.items[1].troubles")
        #expect(troubles.text.contains("was cancelled"), "\(troubles.text)")
    }

    @Test("operations wait for those that they depend on")
    func dependencies() throws {
        let service = try RunningService()
        // Downloads end on the queue that is held: everything after them waits.
        let shown = try service.session(
            "suspend com.telltale.downloads", "downloads.again(\"operations\")",
            "get photos.items.count", "operations", "quit")
        #expect(shown.text.contains("com.telltale.googly  10 operations"), "\(shown.text)")
        for name in ["eileen-collins", "grace-hopper"] {
            for (step, before) in [
                ("decode", "download"), ("detect", "decode"), ("draw", "detect"), ("store", "draw"),
            ] {
                #expect(
                    shown.lines.contains {
                        $0.contains("\(step) \(name).jpg") && $0.contains("waiting")
                            && $0.contains("\(before) \(name).jpg")
                    }, "\(step): \(shown.text)")
            }
        }
        try service.wait("both are drawn") {
            try service.telltale("get", "photos.items where state == .ready count").text == "2\n"
        }
    }

    @Test("what the model is told by its setter is on the page, and what is written past it is not")
    func promptIsShown() throws {
        let service = try RunningService(["--port", "0"])
        func prompt() throws -> String? {
            let data = try #require(try service.get("album.json"))
            return try JSONDecoder().decode(AlbumDocument.self, from: data).prompt
        }
        #expect(try prompt() == nil)
        #expect(try service.telltale("model.prompt = \"WOOT!\"").text.contains("its setter ran"))
        try service.wait("the page shows it") { try prompt() == "WOOT!" }
        let raw = try service.telltale("set", "--raw", "model._prompt", "\"past\"")
        #expect(raw.text.contains("observers were not told"), "\(raw.text)")
        #expect(try service.telltale("get", "model.prompt").text == "\"past\"\n")
        Thread.sleep(forTimeInterval: 0.3)
        #expect(try prompt() == "WOOT!")
    }

    @Test(
        "the page stops answering in a deadlock, stuck says why, and it answers when it is cleared")
    func pageHangs() throws {
        let service = try RunningService(["--port", "0", "--fault", "later"])
        #expect(try service.get("album.json") != nil)
        #expect(try service.telltale("call", "fault.barrier-behind-reader()").status == 0)
        try service.wait(for: "is staged")
        #expect(try service.get("album.json", within: 1) == nil)
        // A thumbnail needs the photos too.
        #expect(try service.get("thumbnails/1", within: 1) == nil)
        let stuck = try service.telltale("stuck", "--after", "1s")
        #expect(stuck.status == 7, "\(stuck.text)")
        #expect(stuck.text.contains("PhotoBackup.readPhotosOntoStalledDisk"), "\(stuck.text)")
        #expect(try service.telltale("call", "fault.clear()").status == 0)
        #expect(try service.get("album.json") != nil)
    }

    @Test("recipes are seen at work: timers, threads, a semaphore")
    func recipes() throws {
        let service = try RunningService()
        for name in ["dispatch-timer", "run-loop-timer", "threads"] {
            #expect(try service.telltale("recipe.run(\"\(name)\")").status == 0)
        }
        var semaphores = ""
        try service.wait("it was created with 2, and is less than 2 in \(semaphores)") {
            // They come from the same machine, and are soon there.
            #expect(try service.telltale("recipe.run(\"bounded\")").status == 0)
            semaphores = try service.telltale("semaphores", "--all").columnless
            return semaphores.contains(#/0x[0-9a-f]+ (-\d+|0|1) 2 /#)
        }
        let timers = try service.telltale("timers")
        #expect(timers.text.contains("RecipeBook.startDispatchTimer()"), "\(timers.text)")
        var threads = ""
        try service.wait("the obedient thread has ended in \(threads)") {
            threads = try service.telltale("threads").text
            return !threads.contains("obedient") && threads.contains("stubborn")
                && threads.contains("repainting")
        }
        #expect(try service.telltale("recipe.stop()").status == 0)
        try service.wait("all have ended in \(threads)") {
            threads = try service.telltale("threads").text
            return !threads.contains("stubborn") && !threads.contains("repainting")
        }
        let wrong = try service.telltale("recipe.run(\"cake\")")
        #expect(wrong.status == 1 && wrong.text.contains("no recipe 'cake'"))
    }

    @Test("photos are saved after a stop, and by SIGHUP")
    func photosAreSaved() throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("album-\(UUID().uuidString.prefix(8)).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let service = try RunningService(["--save", file.path])
        for signal in [SIGHUP, SIGSTOP] {
            kill(service.process.processIdentifier, signal)
            if signal == SIGSTOP {
                Thread.sleep(forTimeInterval: 0.2)
                kill(service.process.processIdentifier, SIGCONT)
            }
            try service.wait("it is saved: \(service.log)") {
                FileManager.default.fileExists(atPath: file.path)
            }
            let saved = try JSONDecoder().decode(AlbumDocument.self, from: Data(contentsOf: file))
            #expect(saved.photos.map(\.title) == ["Eileen Collins", "Grace Hopper"])
            try FileManager.default.removeItem(at: file)
        }
        try service.wait(for: "lldb: photos = unsafeBitCast(0x")
    }

    /// libmicrohttpd 0.9.75 waits once more if a wait gave it all of the 128 events that it takes
    /// at a time, and answers no client until something else happens. A server that was stopped
    /// finds all of them at once.
    @Test("connections that all ask while it is stopped have their answers, and more than it takes")
    func everyConnectionAsksAtOnce() throws {
        let service = try RunningService(["--port", "0"])
        let crowd = try RequestCrowd(count: 300, port: try #require(try service.address.port))
        crowd.ask()
        try service.wait("\(crowd.answered) were answered") {
            crowd.answered >= WebServer.connectionLimit
        }
        let process = service.process.processIdentifier
        kill(process, SIGSTOP)
        try service.wait("it has stopped") {
            try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8).contains(") T ")
        }
        let first = crowd.forgetAnswers()
        crowd.ask()
        kill(process, SIGCONT)
        try service.wait("\(crowd.answered) of \(first) were answered") { crowd.answered >= first }
        // The last client gets a slot when others leave.
        crowd.closeAnswered()
        try service.wait("\(crowd.answered) were answered") { crowd.answered == 300 - first }
    }

    /// The load that `make soak` applies for an hour, and its criteria.
    @Test(
        "requests go on while a client takes dumps, asks stuck and changes, without an error",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/wrk"), "wrk is missing"))
    func requestsGoOn() throws {
        let hour = Process()
        hour.executableURL = photoFolder.deletingLastPathComponent().appendingPathComponent("hour")
        hour.arguments = ["--seconds", "3", "--slice", "2"]
        let output = Pipe()
        hour.standardOutput = output
        hour.standardError = output
        try hour.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        hour.waitUntilExit()
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(hour.terminationStatus == 0, "\(text)")
        #expect(text.contains("1 slices of each") && text.contains("; 0 errors"), "\(text)")
    }

    @Test("a port in use, and one that is none, end with a sentence")
    func portInUse() throws {
        let service = try RunningService(["--port", "0"])
        let port = try #require(try service.address.port)
        let second = Process()
        second.executableURL = RunningService.program
        second.arguments = ["--port", "\(port)"]
        let errors = Pipe()
        second.standardError = errors
        try second.run()
        let bytes = try errors.fileHandleForReading.readToEnd() ?? Data()
        let said = String(decoding: bytes, as: UTF8.self)
        second.waitUntilExit()
        #expect(second.terminationStatus == 1)
        #expect(said.hasPrefix("photo-manager: port \(port) of 127.0.0.1 is in use; give another"))
    }
}
