#if TELLTALE_AGENT
import TelltalePicture
import TelltaleSystem

@testable import TelltaleAgent
@testable import TelltaleRuntime

/// Pictures of the tests' own process.
enum Captured {
    static var soon: MonotonicTime { .now.advanced(by: .seconds(30)) }

    /// An agent without a listener.
    static let agent = Result {
        try Agent(shared: .current, configuration: AgentConfiguration())
    }

    static func capture(_ parts: Picture.Parts) throws -> Capture {
        Capture(parts, of: try agent.get(), until: soon)
    }

    static func picture(_ parts: Picture.Parts, items: Int = 16) throws -> Picture {
        var capture = try capture(parts)
        capture.items = items
        return capture.take()
    }

    /// The tasks alone, with what was found that is none.
    static func tasks() -> TaskCapture {
        let found = MemoryScan.find(
            words: [TaskCapture.word].compactMap { $0 }, capacity: TaskCapture.mostPlaces,
            deadline: soon)
        return TaskCapture.read(at: found.hits.map(\.address), until: soon)
    }
}
#endif
