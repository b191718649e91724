#if TELLTALE_COMPILED
/// All that a dump says, as the answers of the commands whose screens it is made of: those of the
/// process are of one picture.
package struct DumpReport: Sendable {
    /// The origin of the dump.
    package enum Cause: Sendable {
        /// A signal and its sender, `nil` for an unknown sender, with the number of further signals
        /// it answers.
        case signal(name: String, sender: Peer?, merged: Int)
        case client(Peer)
        /// The hang watch: these owners have made no progress for so many seconds.
        case hang(owners: [String], seconds: Double)
    }

    /// An object, and the result of reading it.
    package struct Object: Sendable {
        package var name: String
        package var type: String
        /// The owner that guards the object: `main actor`, `queue photos`.
        package var owner: String
        /// Nothing guards it: it is read in place, or in a snapshot.
        package var isUnowned: Bool
        package var result: Result<ValueAnswer, CommandFailure>

        package init(
            name: String, type: String, owner: String, isUnowned: Bool = false,
            result: Result<ValueAnswer, CommandFailure>
        ) {
            self.name = name
            self.type = type
            self.owner = owner
            self.isUnowned = isUnowned
            self.result = result
        }
    }

    /// Facts of the process that no other answer has.
    package struct Process: Sendable {
        package var descriptors: Int?
        package var descriptorLimit: String?
        /// `gdb(977)`; nil for none.
        package var debugger: String?

        package init(descriptors: Int?, descriptorLimit: String?, debugger: String?) {
            self.descriptors = descriptors
            self.descriptorLimit = descriptorLimit
            self.debugger = debugger
        }
    }

    package var id: Int
    /// The time it was begun, UTC with milliseconds.
    package var time: String
    package var buildID: String
    package var cause: Cause
    /// The one before, and how long ago it was made, in seconds.
    package var previous: (id: Int, age: Double)?
    /// The moment of the picture, UTC with milliseconds.
    package var captured: String
    package var captureMicroseconds: Int
    package var status: StatusAnswer
    package var process: Process
    package var stuck: StuckAnswer
    /// The findings of `doctor`, among them those of `stuck`.
    package var doctor: [DoctorAnswer.Finding] = []
    /// Parts that `doctor` could not read, a sentence each.
    package var doctorNotes: [String] = []
    /// The reason that `doctor` didn't look; `nil` if it did.
    package var doctorGap: String?
    package var queues: QueuesAnswer
    /// The queues that did not answer, with their waiting items.
    package var silentQueues: [QueueAnswer] = []
    /// Nil if the process has no memory left to be read.
    package var tasks: TasksAnswer?
    package var actors: ActorsAnswer?
    package var operations: OperationsAnswer?
    package var objects: [Object] = []
    package var stacks: StackAnswer?
    /// The largest classes; `nil` if none were counted.
    package var heap: HeapAnswer?
    /// The reason that the heap was not counted.
    package var heapGap: String?
    /// The reasons for missing parts.
    package var absences: [String] = []

    package init(
        id: Int, time: String, buildID: String, cause: Cause,
        previous: (id: Int, age: Double)?, captured: String, captureMicroseconds: Int,
        status: StatusAnswer, process: Process, stuck: StuckAnswer, queues: QueuesAnswer
    ) {
        self.id = id
        self.time = time
        self.buildID = buildID
        self.cause = cause
        self.previous = previous
        self.captured = captured
        self.captureMicroseconds = captureMicroseconds
        self.status = status
        self.process = process
        self.stuck = stuck
        self.queues = queues
    }

    /// The number of things that were asked for but not available.
    package var missing: Int {
        unreadObjects + lateQueues + absences.count
    }

    /// `2 objects, 1 queue`.
    var missingText: String {
        let texts = [
            (unreadObjects, "object", "objects"), (lateQueues, "queue", "queues"),
            (absences.count, "part", "parts"),
        ]
        return texts.filter { $0.0 > 0 }.map { Quantity.count($0.0, $0.1, $0.2) }
            .joined(separator: ", ")
    }

    private var unreadObjects: Int { objects.count { $0.isUnread } }
    private var lateQueues: Int { queues.queues.count { $0.finding != nil } }
}

extension DumpReport.Object {
    var failure: CommandFailure? {
        if case .failure(let failure) = result { return failure }
        return nil
    }
    /// Its last reference has gone: nothing is missing.
    var isGone: Bool { failure?.code == .gone }
    var isUnread: Bool { failure != nil && !isGone }
    /// Its owner did not let it be read, which says something about the service. A snapshot that failed doesn't.
    var isUnanswered: Bool { isUnread && !isUnowned }
}
#endif
