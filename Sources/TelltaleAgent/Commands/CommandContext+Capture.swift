#if TELLTALE_AGENT
import TelltalePicture

extension CommandContext {
    /// Captures some parts of the process, in the time that the command has.
    func capture(_ parts: Picture.Parts) -> Picture { capturing(parts).take() }

    /// A capture that is to be told more.
    func capturing(_ parts: Picture.Parts) -> Capture {
        Capture(parts, of: agent, until: answerDeadline)
    }
}
#endif
