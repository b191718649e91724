import Foundation
import Testing

@testable import photo_manager

/// Each of the tutorials' faults is found by the command that its guide names, is cleared, and leaves the
/// service well: all of them one after the other in one service.
@Suite(.serialized, .enabled(if: RunningService.canRun), .timeLimit(.minutes(5)))
struct LiveFaultTests {
    /// What the command of a fault has to say, and another one that it leads to.
    private struct Finding {
        var fault: String
        var texts: [String]
        var then: [String] = []
        var thenTexts: [String] = []
    }

    private static let findings = [
        Finding(fault: "singleton-race", texts: ["#1 RacyManager", "#2 RacyManager"]),
        Finding(
            fault: "reader-writer-race", texts: ["photos: [String] 50 elements", "added: 100"]),
        Finding(
            fault: "spin-wait", texts: [" running "],
            then: ["stack"], thenTexts: ["SpinWait.waitForPhoto", "BusyFaults.swift:"]),
        Finding(
            fault: "main-queue-starvation", texts: ["com.apple.main-thread", "did not answer in"],
            then: ["stack"], thenTexts: ["MainResizing.resizeAllPhotosOnMain"]),
        Finding(
            fault: "priority-inversion",
            texts: [
                "longest wait: queue com.telltale.touches", "waits for lock", "held by thread",
            ],
            then: ["threads"], thenTexts: ["com.telltale.ranking"]),
        Finding(fault: "leave-without-enter", texts: [" 3 "]),
        Finding(fault: "semaphore-freed-in-use", texts: [" 6 7 "]),
        Finding(
            fault: "timer-retain-cycle",
            texts: ["RepaintingCell 0x", "repaints: "],
            then: ["timers"], thenTexts: ["closure #1 in RepaintingCell.start()"]),
    ]

    @Test("every fault of the tutorials is found by the command that its guide names")
    func gallery() throws {
        let service = try RunningService(["--fault", "later"])
        for finding in Self.findings {
            let (name, texts) = (finding.fault, finding.texts)
            let guide = try #require(FaultGuide.all[name])
            let staged = try service.telltale("call", "fault.\(name)()")
            #expect(staged.status == 0, "\(name): \(staged.text)")
            try service.wait(for: "fault \(name) is staged")
            var text = ""
            let words = guide.command.split(separator: " ").map(String.init)
            try service.wait("\(name): no \(texts) in \(text)") {
                text = try service.run(words).columnless
                return texts.allSatisfy(text.contains)
            }
            if !finding.then.isEmpty {
                try service.wait("\(name): no \(finding.thenTexts) in \(text)") {
                    text = try service.run(finding.then).columnless
                    return finding.thenTexts.allSatisfy(text.contains)
                }
            }
            let cleared = try service.telltale("call", "fault.clear()")
            #expect(cleared.status == 0, "\(name): \(cleared.text)")
            try service.wait(for: "fault \(name) is cleared")
        }
        try service.wait("it is well: \(try service.telltale("stuck").text)") {
            try service.telltale("stuck").status == 0
        }
        let nothing = try service.telltale("call", "fault.clear()")
        #expect(nothing.status == 1 && nothing.text.contains("there is no fault to clear"))
        #expect(service.process.isRunning)
    }
}
