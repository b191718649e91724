#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// A task's handle, which is shown by the task's number and state: what it has is of the compiler's own.
enum TaskKind {
    private static let descriptor = TypeMetadata(Task<Int, Never>.self).descriptor

    static func isTask(_ type: Any.Type) -> Bool {
        let metadata = TypeMetadata(type)
        return metadata.kind == .structure && metadata.descriptor == descriptor
    }

    /// `task 12, suspended`; nil where it can't be read.
    static func state(of view: ValueView, by reader: TaskReader?) -> String? {
        guard let reader, let address = view.word(), address != 0 else {
            return nil
        }
        let (result, reading) = reader.read(at: address, withFrames: false)
        guard let facts = reading?.facts else {
            return TaskReader.hasEnded(result) ? "has ended" : nil
        }
        var words = "task \(facts.id), "
        switch facts.state {
        case .running: words += "running"
        case .enqueued: words += "enqueued"
        case .suspended: words += facts.isUnstarted ? "not started" : "suspended"
        }
        if let name = facts.name { words += ", \(name)" }
        return facts.isCancelled ? words + ", cancelled" : words
    }
}

/// What reads the kinds of one reading, made when the first of a kind is met.
///
/// Not thread-safe: it belongs to one reading.
final class KindReaders {
    private let deadline: MonotonicTime

    init(deadline: MonotonicTime) { self.deadline = deadline }

    /// How long the owner waits in all of a reading for names out of the program's symbols, from the first
    /// one on: what is found later is there the next time.
    private static let longestNaming = Duration.milliseconds(250)
    private(set) lazy var namesEnd = min(deadline, .now.advanced(by: Self.longestNaming))

    /// nil before Dispatch's layout is known.
    private(set) lazy var dispatch: DispatchReader? = DispatchLayout.calibration.now.map {
        DispatchReader(layout: $0, deadline: deadline)
    }

    /// nil before the layout of tasks is known.
    private(set) lazy var tasks: TaskReader? = {
        guard TaskLayout.known(by: .now).has(.ids), let runtime = TaskRuntime.known else {
            return nil
        }
        // Without them a live one looks as if it were none.
        let text = TextRanges.current
        return text.count > 0 ? TaskReader(runtime: runtime, text: text, endings: []) : nil
    }()
}

extension NodeMaker {
    /// The node of a task's handle; nil of another value, and where nothing is to be said of the task.
    func task(_ view: ValueView, _ label: String?) -> ValueNode? {
        guard TaskKind.isTask(view.type),
            let state = TaskKind.state(of: view, by: session.kinds.tasks)
        else { return nil }
        session.spend(state.utf8.count)
        return ValueNode(
            label: label, type: TypeNames.name(of: view.type), kind: .opaque, note: state)
    }
}
#endif
