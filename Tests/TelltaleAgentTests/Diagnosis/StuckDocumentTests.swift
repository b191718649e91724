#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltaleProtocol
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent

/// Docs/Stuck.md, Docs/StuckLimits.md and Docs/StuckInside.md give figures that are constants of the code.
struct StuckDocumentTests {
    @Test("the thresholds, the time between pictures and the limits are those of the code")
    func figures() throws {
        let thresholds = Thresholds.standard
        let reading = [
            "| `stuckAfter`, \(Int(thresholds.stuckAfter)) s |",
            "| `stuckAfterInput`, \(Int(thresholds.stuckAfterInput)) s |",
            "| `stuckAfterRequest`, \(Int(thresholds.stuckAfterRequest)) s |",
            "\(Int(thresholds.stuckAfter)) s where nothing could give one back, else \(Int(thresholds.stuckAfterInput)) s",
            "not before \(Int(HangDetector.leastInterval)) s are over",
        ]
        let limits = [
            "The limit is \(Int(AgentConfiguration().commandDeadline.components.seconds)) s (`--timeout`"
        ]
        let inside = [
            "a second time, \(Quantity.time(StuckSearch.gap)) later",
            "up to \(StuckSearch.mostPictures - 2) times more",
        ]
        for (name, figures) in [
            ("Docs/Stuck.md", reading), ("Docs/StuckLimits.md", limits),
            ("Docs/StuckInside.md", inside),
        ] {
            let page = try RepositoryFile.text(name).split(whereSeparator: \.isWhitespace)
                .joined(separator: " ")
            for figure in figures { #expect(page.contains(figure), "\(name): no “\(figure)”") }
        }
    }
}
#endif
