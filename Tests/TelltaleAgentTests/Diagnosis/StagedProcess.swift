import TelltaleProtocol
import TelltaleSystem

@testable import TelltaleAgent

/// A process made by hand, as two looks at it would show it: nothing moves between them but what
/// ``moving`` says.
@dynamicMemberLookup
struct StagedProcess {
    /// What both looks show.
    private var staged = Picture(time: .zero)
    /// Threads that have run between the looks.
    var moving: Set<Int32> = []
    var window = 1.2

    subscript<Part>(dynamicMember part: WritableKeyPath<Picture, Part>) -> Part {
        get { staged[keyPath: part] }
        set { staged[keyPath: part] = newValue }
    }

    static let photos: UInt = 0x1000
    static let downloads: UInt = 0x2000
    static let mainQueue: UInt = 0x3000
    static let root: UInt = 0x4000
    static let swiftPool: UInt = 0x5000

    // MARK: Making parts

    static func frame(_ function: String, _ line: Int? = nil, file: String = "PhotoManager.swift")
        -> ResolvedFrame
    {
        ResolvedFrame(
            address: UInt(0x40_0000 + (line ?? 0)), kind: .returnAddress,
            module: line == nil ? "libdispatch.so" : "photo-manager", function: function,
            symbol: function, offset: 8, file: line == nil ? nil : "/src/\(file)", line: line,
            isInlined: false, origin: line == nil ? .system : .program)
    }

    mutating func thread(
        _ id: Int32, _ wait: ThreadWait, in function: String? = nil, line: Int = 1,
        held: [UInt] = [], task: UInt? = nil, name: String = "worker", isMain: Bool = false,
        isAgent: Bool = false, under: [String] = [], resting: Double? = 12
    ) {
        let call = SystemCall(number: 202, arguments: [0x100, 0x80, 2, 0, 0, 0], name: "futex")
        let isRunning = wait == .running
        var frames = [Self.frame("syscall")]
        if let function { frames.append(Self.frame(function, line)) }
        frames += under.map { Self.frame($0) }
        staged.threads.append(
            ThreadFacts(
                id: id, name: name, isMain: isMain, isAgent: isAgent,
                state: isRunning ? .running : .waiting(call), processorTime: .zero,
                queue: held.first, task: task, stack: frames, wait: wait, held: held, switches: 5,
                restingFor: resting))
    }

    mutating func queue(
        _ address: UInt, _ label: String, _ kind: QueueKind = .serial, target: UInt? = root,
        owner: Int32? = nil, waiters: [Int32] = [], items: [String] = [],
        barrierFirst: Bool = false,
        suspended: Int = 0, width: Int? = nil, used: Int = 0
    ) {
        var pending: [PendingItem] = []
        for (index, name) in items.enumerated() {
            let function = address + 0x100 + UInt(index) * 16
            staged.names[function] = [Self.frame(name, 40 + index)]
            pending.append(item(function, .block, function, nil, barrierFirst && index == 0))
        }
        for waiter in waiters {
            pending.append(
                item(address + 0x800 + UInt(waiter), .syncWaiter, nil, waiter, barrierFirst))
        }
        staged.queues.append(
            QueueFacts(
                address: address, label: label, kind: kind, target: target, qos: "default",
                suspendCount: suspended, isInactive: false, isEnqueued: !pending.isEmpty,
                isInBarrier: kind == .serial && owner != nil,
                hasPendingBarrier: barrierFirst && kind == .concurrent,
                width: width ?? (kind == .concurrent ? 4094 : 1), widthInUse: used, owner: owner,
                items: pending, waiting: pending.count, isCut: false))
    }

    private func item(
        _ address: UInt, _ kind: PendingItem.Kind, _ function: UInt?, _ waiter: Int32?,
        _ isBarrier: Bool
    ) -> PendingItem {
        PendingItem(
            address: address, kind: kind, function: function, isBarrier: isBarrier,
            isCancelled: false, isInGroup: false, waiter: waiter, object: nil)
    }

    mutating func task(
        _ address: UInt, _ id: UInt64, _ wait: TaskFacts.Wait?, in function: String, line: Int,
        file: String = "PhotoStore.swift", state: TaskFacts.State = .suspended,
        children: [UInt] = []
    ) {
        let code = address + 0x10
        staged.names[code] = [Self.frame(function, line, file: file)]
        staged.tasks.append(
            TaskFacts(
                address: address, id: id, name: nil, kind: .plain, state: state, priority: 25,
                isCancelled: false, isChild: false, isUnstarted: false, waitsFor: wait,
                preferredExecutor: nil, parent: nil, children: children,
                frames: [RawFrame(address: code, kind: .asyncResume)], areFramesCut: false,
                isMoving: false))
    }

    // MARK: Looking

    func look(seconds: Double, isFirst: Bool) -> Picture {
        var look = staged
        look.time = .seconds(100 + seconds)
        look.threads = staged.threads.map { thread in
            var thread = thread
            if isFirst, moving.contains(thread.id) { thread.switches = 4 }
            return thread
        }
        return look
    }

    var finder: StuckFinder {
        StuckFinder(
            before: look(seconds: 0, isFirst: true), after: look(seconds: window, isFirst: false))
    }

    /// Whether the first look asks for a second one.
    var isSuspicious: Bool {
        StuckFinder(unsuspicious: look(seconds: 0, isFirst: true)) == nil
    }

    var answer: StuckAnswer { finder.answer(looks: 2, took: .milliseconds(1300)) }

    /// The screen as it is printed.
    var screen: String { answer.rendered(TextStyle(color: false, width: nil)) }
}
