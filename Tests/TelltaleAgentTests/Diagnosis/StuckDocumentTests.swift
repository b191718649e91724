#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltaleProtocol
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent

/// Docs/Stuck.md gives figures that are constants of the code.
struct StuckDocumentTests {
    @Test("the thresholds, the time between pictures and the limits are those of the code")
    func figures() throws {
        let page = try RepositoryFile.text("Docs/Stuck.md")
            .split(separator: "\n").joined(separator: " ")
        let thresholds = Thresholds.standard
        for figure in [
            "| `stuckAfter`, \(Int(thresholds.stuckAfter)) s |",
            "| `stuckAfterInput`, \(Int(thresholds.stuckAfterInput)) s |",
            "| `stuckAfterRequest`, \(Int(thresholds.stuckAfterRequest)) s |",
            "\(Int(thresholds.stuckAfter)) s where nothing could give one back, else \(Int(thresholds.stuckAfterInput)) s",
            "a second time, \(Quantity.time(StuckSearch.gap)) later",
            "up to \(StuckSearch.mostPictures - 2) times more",
            "\(Int(AgentConfiguration().commandDeadline.components.seconds)) s are the limit",
            "not before \(Int(HangDetector.leastInterval)) s are over",
        ] {
            #expect(page.contains(figure), "no “\(figure)”")
        }
    }
}
#endif
