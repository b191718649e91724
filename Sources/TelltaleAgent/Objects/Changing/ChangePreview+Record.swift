#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension ChangeRecord {
    /// The record of a change that was not made, used only in its answer.
    static func unmade(
        _ preview: ChangePreview, _ result: String, in context: CommandContext
    ) -> ChangeRecord {
        ChangeRecord(
            number: 0, path: preview.path, old: preview.oldText, new: preview.newText,
            result: result, by: context.peer,
            time: Quantity.moment(nanoseconds: WallClock.nanoseconds), note: preview.note)
    }
}
#endif
