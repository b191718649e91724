#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

// The changes that a log takes and returns.
extension ChangeLog {
    /// A change that was made but has no number yet.
    struct Made {
        let path: String
        let entry: String
        let change: PerformedChange
    }

    /// The command that a change came from.
    enum Origin {
        case made(by: String)
        /// An undo of the change with this number.
        case undoes(Int)
        /// A redo of the undone change with this number.
        case redoes(Int)

        var command: String {
            switch self {
            case .made(let command): command
            case .undoes: "undo"
            case .redoes: "redo"
            }
        }

        var isUndo: Bool { if case .undoes = self { true } else { false } }

        var result: String {
            switch self {
            case .made: "done"
            case .undoes(let number): "undoes \(number)"
            case .redoes(let number): "redoes \(number)"
            }
        }
    }

    /// A change that can be undone.
    struct Undoable: Sendable {
        /// The number of the change; for a redo, the number of the change that was undone.
        var number: Int
        /// The number of the change that is reversed.
        let undone: Int
        let path: String
        let entry: String
        let change: PerformedChange
    }
}

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
