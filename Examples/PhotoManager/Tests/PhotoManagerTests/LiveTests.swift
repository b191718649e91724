import Foundation
import Testing

@testable import photo_manager

/// What the agent shows of the running service.
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
}
