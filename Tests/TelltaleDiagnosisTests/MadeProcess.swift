#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import TelltaleProtocol

/// A process made by hand: two pictures of it, in which nothing moves but what is said to.
///
/// Things are called by names. A queue that is mentioned is a serial one unless ``queue(_:_:)`` says
/// more of it; the thread that is on a serial queue drains it, and threads in `sync` wait on it.
struct MadeProcess: Sendable {
    /// The later picture, before ``pictures`` completes it.
    private var picture = Picture(time: .zero)
    /// The differences of the earlier picture.
    private var changes: [@Sendable (inout Picture) -> Void] = []
    private var queues: [String: QueueFacts] = [:]
    private var addresses: [String: UInt] = [:]
    /// For how long nothing has moved between the pictures, in seconds.
    var window = 1.2
    var thresholds = Thresholds.standard

    init() { picture.sockets = SocketFacts(listening: 0, expecting: 0) }

    /// The address of what is called so.
    mutating func at(_ name: String) -> UInt {
        if let known = addresses[name] { return known }
        let address = UInt(0x1000 * (addresses.count + 1))
        addresses[name] = address
        return address
    }

    // MARK: Threads

    enum Wait {
        case runs, idle, sleeps, sync(String), semaphore(String), group(String), condition(String)
        case lock(String, holder: Int32?), mutex(String, holder: Int32?), join(Int32)
        case event(String), eventLoop, operations, unknown(String)
    }

    /// Adds a thread that is in items of `on`, the innermost first, and in a function of the host's.
    mutating func thread(
        _ id: Int32, _ wait: Wait, on queues: String..., in function: String? = "work()",
        line: Int? = nil,
        task: String? = nil, executor: String? = nil, name: String = "worker",
        isMain: Bool = false, isAgent: Bool = false, isResuming: Bool = false,
        unmovedFor seconds: Double? = 12
    ) {
        let call = SystemCall(number: 202, arguments: [UInt(id), 0x80, 2, 0], name: "futex")
        var thread = ThreadFacts(id: id, state: .waiting(call))
        thread.wait = waited(wait)
        if thread.wait == .running { thread.state = .running }
        thread.name = name
        thread.isMain = isMain
        thread.isAgent = isAgent
        thread.isResuming = isResuming
        thread.switches = 5
        thread.offCPUFor = seconds
        thread.task = task.map { at("task " + $0) }
        thread.executor = executor.map { at($0) }
        thread.stack = [Self.frame("syscall", nil)]
        if let function { thread.stack.append(Self.frame(function, line ?? Int(id))) }
        thread.isInMainItem = isMain && queues.contains("main")
        for label in queues {
            thread.held.append(at(label))
            queue(label) { if $0.kind == .serial || $0.kind == .main { $0.owner = id } }
        }
        if case .sync(let label) = wait {
            var item = PendingItem(address: at("waiter \(id)"))
            item.kind = .syncWaiter
            item.waiter = id
            queue(label) { $0.items.append(item) }
        }
        picture.threads.append(thread)
    }

    private mutating func waited(_ wait: Wait) -> ThreadWait {
        switch wait {
        case .runs: .running
        case .idle: .idle
        case .sleeps: .time
        case .sync(let label): .queue(at(label))
        case .semaphore(let name): .semaphore(at(name))
        case .group(let name): .group(at(name))
        case .condition(let name): .condition(at(name))
        case .lock(let name, let holder): .lock(at(name), owner: holder, .mutex)
        case .mutex(let name, let holder): .lock(at(name), owner: holder, .synchronization)
        case .join(let other): .thread(other)
        case .event(let call): .event(call)
        case .eventLoop: .eventLoop("epoll_wait")
        case .operations: .operations(condition: at("an operation's condition"))
        case .unknown(let call): .unknown(call)
        }
    }

    /// A frame of the host's, or, without a line, of a system library.
    static func frame(_ function: String, _ line: Int?) -> ResolvedFrame {
        var frame = ResolvedFrame(
            address: UInt(0x40_0000 + (line ?? 0)), kind: .returnAddress)
        frame.function = function
        frame.module = line == nil ? "libdispatch.so" : "photo-manager"
        frame.file = line == nil ? nil : "/src/Photos.swift"
        frame.line = line
        frame.origin = line == nil ? .system : .program
        return frame
    }

    // MARK: Queues

    /// Says more of a queue.
    mutating func queue(_ label: String, _ change: (inout QueueFacts) -> Void = { _ in }) {
        var facts = queues[label] ?? QueueFacts(address: at(label))
        if queues[label] == nil {
            facts.label = label
            facts.kind = label == "main" ? .main : .serial
        }
        change(&facts)
        queues[label] = facts
    }

    /// Leaves a queue out of the pictures, as one that was not found.
    mutating func loses(_ label: String) { queues[label] = nil }

    /// Has items that run these functions wait on a queue.
    mutating func items(_ label: String, _ functions: String..., isBarrier: Bool = false) {
        for function in functions {
            let code = at("code of " + function)
            picture.names[code] = [Self.frame(function, 40)]
            var item = PendingItem(address: at("item \(addresses.count)"))
            item.kind = .block
            item.function = code
            item.isBarrier = isBarrier
            queue(label) { $0.items.append(item) }
        }
    }

    /// A root queue with threads that all wait so.
    mutating func pool(_ label: String, threads: ClosedRange<Int32>, _ wait: Wait) {
        queue(label) { $0.kind = .global }
        for id in threads {
            thread(id, wait, in: "fetch()", line: 61, name: String(label.suffix(15)))
        }
    }

    /// Threads of a pool that were made one after another, the last so many seconds ago, and have been
    /// blocked since.
    mutating func grows(_ threads: ClosedRange<Int32>, every seconds: Double, last: Double) {
        for index in picture.threads.indices where threads.contains(picture.threads[index].id) {
            let later = Double(threads.upperBound - picture.threads[index].id)
            picture.threads[index].age = last + later * seconds
            picture.threads[index].offCPUFor = last + later * seconds
        }
    }

    mutating func group(_ name: String, entered: Int) {
        let group = GroupFacts(
            address: at(name), outstanding: entered, hasWaiters: true, hasNotify: false)
        picture.groups.append(group)
    }

    mutating func semaphore(_ name: String, value: Int) {
        picture.semaphores.append(SemaphoreFacts(address: at(name), value: value, original: 0))
    }

    // MARK: Tasks and actors

    enum TaskWait {
        case runs, task(String), children([String]), continuation, turn(String), sleeps, pool
    }

    /// Adds a task that is in a function of the host's (nil for none), which has called `machinery` of a
    /// package's.
    mutating func task(
        _ name: String, _ wait: TaskWait, in function: String? = "run()",
        calling machinery: String? = nil
    ) {
        var task = TaskFacts(
            address: at("task " + name), id: UInt64(picture.tasks.count + 1))
        task.name = name
        switch wait {
        case .runs: task.state = .running
        case .task(let other): task.waitsFor = .task(at("task " + other))
        case .children(let names):
            task.waitsFor = .group
            task.children = names.map { at("task " + $0) }
        case .continuation: task.waitsFor = .continuation
        case .turn(let actor): task.waitsFor = .executor(at(actor))
        case .sleeps: task.waitsFor = .timer
        case .pool: task.waitsFor = .executor(0)
        }
        if let machinery {
            let code = at("code of " + machinery)
            task.frames.append(RawFrame(address: code, kind: .asyncResume))
            var frame = Self.frame(machinery, 7)
            frame.origin = .package
            frame.shortFunction = machinery
            frame.swiftModule = "NIOCore"
            picture.names[code] = [frame]
        }
        if let function {
            let code = at("code of " + name)
            task.frames.append(RawFrame(address: code, kind: .asyncResume))
            picture.names[code] = [Self.frame(function, 30)]
        }
        picture.tasks.append(task)
    }

    mutating func actor(_ name: String, _ state: ActorFacts.State, jobs: String...) {
        var actor = ActorFacts(address: at(name), typeName: name)
        actor.state = state
        actor.jobs = jobs.map { at("task " + $0) }
        actor.waiting = jobs.count
        picture.actors.append(actor)
    }

    mutating func swiftPool(threads: Int) {
        queue("Swift global concurrent queue") {
            $0.kind = .concurrent
            $0.width = threads
        }
        picture.swiftPool = at("Swift global concurrent queue")
    }

    // MARK: Operations

    mutating func operation(
        _ name: String, _ state: OperationFacts.State, in queue: String? = "thumbnails",
        type: String = "BlockOperation", after dependencies: String...,
        isQueueSuspended: Bool = false
    ) {
        var operation = PlacedOperation(
            address: at("operation " + name), name: name, type: type, state: state, queue: queue)
        operation.dependencies = dependencies.map { at("operation " + $0) }
        operation.isQueueSuspended = isQueueSuspended
        picture.operations.append(operation)
    }

    /// Has a thread execute an operation of a queue that isn't observed, and wait for it, or for one that
    /// can't begin before.
    mutating func ownOperation(
        of thread: Int32, _ executed: String, waitsFor awaited: String? = nil
    ) {
        operation(executed, .executing, in: PlacedOperation.unobservedQueue)
        if let awaited { operation(awaited, .ready, in: PlacedOperation.unobservedQueue) }
        for index in picture.operations.indices { picture.operations[index].isUnobserved = true }
        let own = OwnOperations(
            awaited: at("operation " + (awaited ?? executed)),
            executed: at("operation " + executed))
        for index in picture.threads.indices where picture.threads[index].id == thread {
            picture.threads[index].ownOperations = own
        }
    }

    // MARK: What else a picture has

    mutating func now(_ change: (inout Picture) -> Void) { change(&picture) }

    /// Says what was different a moment ago.
    mutating func earlier(_ change: @escaping @Sendable (inout Picture) -> Void) {
        changes.append(change)
    }

    /// Threads that have run between the pictures.
    mutating func moves(_ ids: Int32...) {
        earlier { picture in
            for index in picture.threads.indices where ids.contains(picture.threads[index].id) {
                picture.threads[index].switches = 4
            }
        }
    }

    /// A timer that fires once, or again and again.
    mutating func timer(again: Double? = nil, isDispatchsOwn: Bool = false) {
        var timer = TimerFacts(address: at("timer \(picture.timers.count)"))
        timer.firesIn = 3
        timer.interval = again
        timer.isDispatchsOwn = isDispatchsOwn
        picture.timers.append(timer)
    }

    /// Adds an epoll on which the threads of one list wait, and to which those of the other return.
    mutating func epoll(_ number: Int32, waiting: [Int32] = [], threads: [Int32] = []) {
        var loop = EventLoopFacts(
            id: UInt64(number), kind: .epoll, descriptor: number, label: "epoll \(number)")
        loop.waiting = waiting
        loop.threads = threads
        picture.eventLoops.append(loop)
    }

    /// Adds a search's result: the retainers of a semaphore, a group, a condition or, by its task,
    /// a continuation.
    mutating func holders(_ target: WaitTarget, _ roots: Holders.Root..., isWhole: Bool = true) {
        picture.holders[target] = Holders(roots, isWhole: isWhole)
    }

    // MARK: Pictures

    var pictures: (earlier: Picture, later: Picture) {
        var later = picture
        later.time = .seconds(100) + .seconds(window)
        later.queues = queues.values.sorted { $0.address < $1.address }.map { facts in
            var facts = facts
            facts.waiting = facts.waiting.map { max($0, facts.items.count) }
            return facts
        }
        var earlier = later
        earlier.time = .seconds(100)
        for change in changes { change(&earlier) }
        return (earlier, later)
    }

    var diagnosis: Diagnosis {
        let (earlier, later) = pictures
        return Diagnosis(of: earlier, later, thresholds: thresholds)
    }

    /// Indicates that one picture is enough.
    var isHealthyAtOnce: Bool { Diagnosis(ofHealthy: pictures.later) != nil }

    var answer: StuckAnswer { diagnosis.answer(captures: 2, took: .milliseconds(1300)) }

    /// The screen as it is printed.
    var screen: String { answer.lines().joined(separator: "\n") }
}
#endif
