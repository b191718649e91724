#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// A `Task` handle, shown by the task's number and state: its contents are private to the compiler and the
/// runtime.
enum TaskKind {
    private static let descriptor = TypeMetadata(Task<Int, Never>.self).descriptor

    static func isTask(_ type: Any.Type) -> Bool {
        let metadata = TypeMetadata(type)
        return metadata.kind == .structure && metadata.descriptor == descriptor
    }

    /// The state as in `task 12, suspended`; `nil` if it can't be read.
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

/// The Dispatch and task readers of one read, created when the first value of their kind is met.
///
/// Not thread-safe: it belongs to one read.
final class KindReaders {
    private let deadline: MonotonicTime

    init(deadline: MonotonicTime) { self.deadline = deadline }

    /// The maximum time for which the owner waits, over the whole read, for names from the program's symbols,
    /// counted from the first lookup. Names found later are there for the next read.
    private static let longestNaming = Duration.milliseconds(250)
    private(set) lazy var namesEnd = min(deadline, .now.advanced(by: Self.longestNaming))

    /// The reader of Dispatch objects; `nil` until Dispatch's layout is known.
    private(set) lazy var dispatch: DispatchReader? = DispatchLayout.calibration.now.map {
        DispatchReader(layout: $0, deadline: deadline)
    }

    /// The reader of tasks; `nil` until the layout of tasks is known.
    private(set) lazy var tasks: TaskReader? = {
        guard TaskLayout.known(by: .now).has(.ids), let runtime = TaskRuntime.known else {
            return nil
        }
        // Without the text ranges a live task looks invalid.
        let text = TextRanges.current
        return text.count > 0 ? TaskReader(runtime: runtime, text: text, endings: []) : nil
    }()
}

extension NodeMaker {
    /// The node of a `Task` handle; `nil` for any other value, and if the task's state is not known.
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
