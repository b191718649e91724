import CTelltaleReadline
import Glibc
import TelltaleShell

/// The terminal's line editor. There is one terminal, so there is one of these.
final class ReadlineEditor: LineEditor {
    let interrupt: Int32?
    var completer: ((HalfTypedLine) -> Completion)?

    /// The name of the line-editing library: `GNU readline 8.2`.
    static var library: String { String(cString: ctelltale_editor_library()) }

    init() {
        let pipe = ctelltale_interrupt_install()
        interrupt = pipe < 0 ? nil : pipe
        // readline keeps the pointer for as long as the program runs, and so does this reference.
        let context = Unmanaged.passRetained(self).toOpaque()
        ctelltale_editor_start(
            "telltale", " \t\n", pipe,
            { line, start, candidates, context in
                guard let context else { return true }
                let editor = Unmanaged<ReadlineEditor>.fromOpaque(context).takeUnretainedValue()
                return editor.complete(String(cString: line), Int(start), candidates)
            }, context)
    }

    func read(prompt: String) -> EditedLine {
        var line: UnsafeMutablePointer<CChar>?
        let status = ctelltale_editor_read(prompt, &line)
        defer { free(line) }
        switch status {
        case CTELLTALE_INTERRUPTED: return .interrupted
        case CTELLTALE_LINE: return line.map { .line(String(cString: $0)) } ?? .end
        default: return .end
        }
    }

    func remember(_ line: String, bound: Int) {
        ctelltale_editor_remember(line, Int32(clamping: bound))
    }

    private func complete(_ line: String, _ start: Int, _ candidates: OpaquePointer) -> Bool {
        guard let completer else { return true }
        switch completer(HalfTypedLine(text: line, start: start)) {
        case .files: return false
        case .words(let words):
            for candidate in words {
                ctelltale_candidates_add(
                    candidates, candidate.isHint ? nil : candidate.word, candidate.shown)
            }
            return true
        }
    }
}
