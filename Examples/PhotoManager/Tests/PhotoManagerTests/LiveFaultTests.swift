import Foundation
import Testing

@testable import photo_manager

/// Each fault of the gallery is found by the command that its guide names. What can be cleared is staged live,
/// one after the other in one service, which is well afterwards; what can't takes a service each.
@Suite(.serialized, .enabled(if: RunningService.canRun), .timeLimit(.minutes(30)))
struct LiveFaultTests {
    @Test("every fault of the list has its finding")
    func listIsComplete() {
        #expect(FaultFinding.all.map(\.fault).sorted() == Fault.all.map(\.name).sorted())
    }

    @Test("every fault that can be cleared is staged by its action, found and cleared")
    func gallery() throws {
        for round in 1...FaultFinding.rounds {
            let service = try RunningService(["--fault", "later"])
            for finding in FaultFinding.all where finding.clears {
                try stageByAction(finding, in: service)
                try expectFound(finding, in: service, round: round)
                let cleared = try service.telltale("call", "fault.clear()")
                #expect(cleared.status == 0, "\(finding): \(cleared.text)")
                try service.wait(for: "fault \(finding) is cleared")
            }
            try service.wait("it is well: \(try service.telltale("stuck").text)") {
                try service.telltale("stuck").status == 0
            }
            let nothing = try service.telltale("call", "fault.clear()")
            #expect(nothing.status == 1 && nothing.text.contains("there is no fault to clear"))
            #expect(service.process.isRunning)
        }
    }

    @Test(
        "every fault is staged by the option, found, and stays where only a restart clears it",
        arguments: FaultFinding.all.filter { !$0.clears || FaultFinding.rounds > 1 })
    func option(_ finding: FaultFinding) throws {
        for round in 1...FaultFinding.rounds {
            let service = try RunningService(["--fault", finding.fault])
            try service.wait(for: "fault \(finding) is staged")
            try expectFound(finding, in: service, round: round)
            let clearing = try service.telltale("call", "fault.clear()")
            #expect((clearing.status == 0) == finding.clears, "\(finding): \(clearing.text)")
            let stays = clearing.text.contains("nothing clears '\(finding)' but a restart")
            #expect(stays != finding.clears, "\(finding): \(clearing.text)")
        }
    }

    /// In every run the option stages these; by their actions they take as many services again.
    @Test(
        "every fault that only a restart clears is staged by its action too",
        .enabled(if: FaultFinding.rounds > 1, "behind TELLTALE_SOAK=1"),
        arguments: FaultFinding.all.filter { !$0.clears })
    func action(_ finding: FaultFinding) throws {
        for round in 1...FaultFinding.rounds {
            let service = try RunningService(["--fault", "later"])
            try stageByAction(finding, in: service)
            try expectFound(finding, in: service, round: round)
        }
    }

    private func stageByAction(_ finding: FaultFinding, in service: RunningService) throws {
        let staged = try service.telltale("call", "fault.\(finding)()")
        #expect(staged.status == 0, "\(finding): \(staged.text)")
        try service.wait(for: "fault \(finding) is staged")
    }

    /// Asks as the guide says, until it is found: some faults take a moment to be complete.
    private func expectFound(
        _ finding: FaultFinding, in service: RunningService, round: Int
    ) throws {
        let guide = try #require(FaultGuide.all[finding.fault])
        let words = guide.command.split(separator: " ").map(String.init)
        var (answer, asked) = (RunningService.Outcome(status: -1, text: ""), 0)
        try service.wait("\(finding): no \(finding.texts) in \(answer.text)") {
            answer = try service.run(words)
            asked += 1
            return finding.texts.allSatisfy(answer.columnless.contains)
        }
        #expect(answer.status == finding.status, "\(finding): \(answer.text)")
        if FaultFinding.rounds > 1 {
            print("fault \(finding), round \(round): found by '\(guide.command)' at try \(asked)")
        }
        if finding.isNotStuck {
            let stuck = try service.telltale("stuck")
            #expect(stuck.status == 0, "\(finding): \(stuck.text)")
        }
        guard !finding.then.isEmpty else { return }
        var text = ""
        try service.wait("\(finding): no \(finding.thenTexts) in \(text)") {
            text = try service.run(finding.then).columnless
            return finding.thenTexts.allSatisfy(text.contains)
        }
    }
}
