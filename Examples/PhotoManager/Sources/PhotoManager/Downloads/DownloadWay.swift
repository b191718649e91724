/// The ways to download a batch of photos: the five ways of the GCD tutorials, structured
/// concurrency, and the operations that draw the eyes.
enum DownloadWay: String, Sendable, CaseIterable {
    case early
    case wait
    case notify
    case perform
    case items
    case tasks
    case operations

    /// The characteristic of the way, in a line.
    var summary: String {
        switch self {
        case .early: "says that all are there when all have begun, as in the tutorial's first try"
        case .wait: "a group, and a background thread that waits for it"
        case .notify: "a group that notifies the main queue when the last photo is there"
        case .perform: "the same, begun on many threads at once by concurrentPerform"
        case .items: "work items one after the other, of which every other one is cancelled"
        case .tasks: "a task group with a child task for each photo"
        case .operations: "operations that find faces and draw eyes, each after the one before"
        }
    }

    /// A line for each.
    static var list: String {
        AlignedList.text(allCases.map { ($0.rawValue, $0.summary) })
    }
}
