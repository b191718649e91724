import CDispatch
import Dispatch
import Foundation
import Synchronization
import TelltaleAgent

@_silgen_name("dispatch_queue_create") private func makeQueue(
    _ label: UnsafePointer<CChar>?, _ attributes: UnsafeRawPointer?
) -> OpaquePointer
@_silgen_name("dispatch_suspend") private func suspend(_ object: OpaquePointer)
@_silgen_name("dispatch_async_f") private func submit(
    _ queue: OpaquePointer, _ context: UnsafeMutableRawPointer?,
    _ function: @convention(c) (UnsafeMutableRawPointer?) -> Void)
@_silgen_name("syscall") private func systemCall(
    _ number: Int, _ first: Int, _ second: Int, _ third: UInt
) -> Int
@_silgen_name("prctl") private func processControl(
    _ option: Int32, _ first: UInt, _ second: UInt, _ third: UInt, _ fourth: UInt
) -> Int32

@_silgen_name("gettid") private func systemThread() -> Int32

@_silgen_name("sigaltstack") private func useOtherStack(
    _ new: UnsafeRawPointer?, _ old: UnsafeMutableRawPointer?
) -> Int32

/// Adverse conditions that a capture has to survive: names, lists and chains without an end,
/// threads whose stack is gone, is on another stack, or is very long.
enum Adversity {
    private static let kept = Mutex<[DispatchQueue]>([])

    /// `adverse labels`, `adverse queues 100000` and so on; see the cases.
    static func perform(_ words: [String]) -> String? {
        guard words.first == "adverse", words.count > 1 else { return nil }
        let count = words.count > 2 ? Int(words[2]) ?? 0 : 0
        switch words[1] {
        case "labels": makeLabels()
        case "queues":
            let made = (0..<count).map { DispatchQueue(label: "adverse.\($0)") }
            kept.withLock { $0 += made }
        case "chain": makeChain(count)
        case "items":
            let queue = DispatchQueue(label: "adverse.items")
            queue.suspend()
            kept.withLock { $0.append(queue) }
            for _ in 0..<count { queue.async {} }
        case "task-names":
            Task(name: String(repeating: "n", count: 1 << 20)) { await TaskModes.pause() }
            Task(name: "\u{1B}[2J\u{202E}\n\u{0}adverse") { await TaskModes.pause() }
            return TaskModes.wait(for: 2) == "ready" ? "staged" : "the tasks do not wait"
        case "task-tree":
            let others = TaskModes.heldCount
            Task(name: "root of the tree") { await grow(count) }
            // The innermost one is the last to wait.
            return TaskModes.wait(for: others + 1) == "ready" ? "staged" : "the tree is not grown"
        case "thread-name":
            start(stack: 1 << 20) {
                "\u{1B}[2J\n) R\t(".withCString {
                    _ = processControl(15, UInt(bitPattern: $0), 0, 0, 0)
                }
                while true { pause() }
            }
        case "gone-stack": loseStack()
        case "deep-stack":
            start(stack: 520 << 20) { _ = recurse(500 << 20, []) }
        case "signal-stack": blockInHandler()
        case "vfork": return blockInSpawn()
        case "filtered": spin("test-filtered") { refuseReading(0x8000_0000, inAll: false) }
        case "kill": refuseReading(0x8000_0000, call: UInt32(count))
        case "refuse": refuseReading(call: UInt32(count))
        case "locks": holdLocks(count)
        case "undumpable": return processControl(4, 0, 0, 0, 0) == 0 ? "staged" : "refused"
        default: return "unknown"
        }
        return "staged"
    }

    // MARK: Queues

    private static func makeLabels() {
        let labels: [[CChar]?] = [
            nil, Array(repeating: 0x78, count: 1 << 20) + [0],
            [-1, -2, -64, -81, 0x61, -16, -97, 0],
            "adverse.\u{1B}[2J\u{202E}\n\r\u{7}escapes".cString(using: .utf8),
            [0],
        ]
        for label in labels {
            let queue =
                label.map { $0.withUnsafeBufferPointer { makeQueue($0.baseAddress, nil) } }
                ?? makeQueue(nil, nil)
            suspend(queue)
            submit(queue, nil) { _ in }
        }
    }

    private static func makeChain(_ count: Int) {
        var last = DispatchQueue(label: "adverse.chain.0")
        last.suspend()
        var made = [last]
        for number in 1...max(1, count) {
            last = DispatchQueue(label: "adverse.chain.\(number)", target: last)
            made.append(last)
        }
        for queue in made { queue.async {} }
        kept.withLock { $0 += made }
    }

    // MARK: Owners

    private final class Locked: Sendable {}
    private static let locked = Mutex<[Locked]>([])

    // Objects whose locks are never released.
    private static func holdLocks(_ count: Int) {
        let gate = DispatchSemaphore(value: 0)
        for number in 0..<count {
            let object = Locked()
            locked.withLock { $0.append(object) }
            Telltale.register(
                object, as: "locked\(number)",
                under: { body in
                    gate.wait()
                    body()
                })
        }
    }

    // MARK: Tasks

    private static func grow(_ depth: Int) async {
        guard depth > 0 else { return await TaskModes.pause() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await grow(depth - 1) }
            await group.waitForAll()
        }
    }

    // MARK: Threads

    private final class Start: Sendable {
        /// The kernel's id of the thread; 0 until it runs.
        let thread = Atomic<Int32>(0)
        nonisolated(unsafe) let body: () -> Void  // run by that thread alone
        init(_ body: @escaping () -> Void) { self.body = body }
    }

    // Returns once the thread is in this state: it sleeps, or, where it waits for a child with which it
    // shares its memory, `D`; of one that runs for good nothing is waited for but its begin.
    private static func start(
        stack: Int, at place: UnsafeMutableRawPointer? = nil, until state: String? = "S",
        _ body: @escaping () -> Void
    ) {
        let start = Start(body)
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        if let place {
            pthread_attr_setstack(&attributes, place, stack)
        } else {
            pthread_attr_setstacksize(&attributes, stack)
        }
        var thread = pthread_t()
        pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                start.thread.store(systemThread(), ordering: .releasing)
                start.body()
                return nil
            }, Unmanaged.passRetained(start).toOpaque())
        wait { start.thread.load(ordering: .acquiring) != 0 }
        let file = "/proc/self/task/\(start.thread.load(ordering: .relaxed))/stat"
        wait {
            // The state follows the name, which is in parentheses and may hold some itself.
            let text = try? String(contentsOfFile: file, encoding: .utf8)
            guard let state, let now = text?.split(separator: ")").last else { return true }
            return now.hasPrefix(" \(state)")
        }
    }

    private static func wait(_ holds: () -> Bool) {
        for _ in 0..<20_000 where !holds() { usleep(1000) }
    }

    // A thread that runs for good, and has begun to.
    private static func spin(_ name: String, first: @escaping () -> Void) {
        let spins = DispatchSemaphore(value: 0)
        start(stack: 1 << 20, until: nil) {
            name.withCString { _ = processControl(15, UInt(bitPattern: $0), 0, 0, 0) }
            first()
            spins.signal()
            spinForGood()
        }
        spins.wait()
    }

    @inline(never)
    private static func spinForGood() {
        let turns = Atomic(0)
        while turns.load(ordering: .relaxed) >= 0 {}
    }

    // A thread that waits for good on a stack that is not there any more.
    private static func loseStack() {
        let size = 1 << 20
        guard
            let place = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            place != MAP_FAILED
        else { return }
        start(stack: size, at: place) { while true { pause() } }
        munmap(place, size)
    }

    @inline(never)
    private static func recurse(_ left: Int, _ words: [Int]) -> Int {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { memory in
            memory.storeBytes(of: UInt8(1), as: UInt8.self)
            guard left > 0 else {
                while true { pause() }
            }
            return recurse(left - memory.count, words) + 1
        }
    }

    private static func blockInHandler() {
        start(stack: 1 << 20) {
            // `stack_t`: where, flags, size.
            let size = 1 << 16
            let place = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
            var other = [UInt(bitPattern: place), 0, UInt(size)]
            _ = useOtherStack(&other, nil)
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in Adversity.adverseHandler() }
            action.sa_flags = Int32(bitPattern: UInt32(0x0800_0000))
            sigaction(SIGUSR2, &action, nil)
            adverseOuter()
        }
    }

    @inline(never)
    private static func adverseOuter() { raise(SIGUSR2) }

    @inline(never)
    fileprivate static func adverseHandler() { while true { pause() } }

    // The child waits for a write to a pipe, and its parent for the child to begin.
    private static func blockInSpawn() -> String {
        let path = "/tmp/telltale-adverse.\(getpid())"
        guard mkfifo(path, 0o600) == 0 else { return "no pipe" }
        start(stack: 1 << 20, until: "D") {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            posix_spawn_file_actions_addopen(&actions, 5, path, O_RDONLY, 0)
            var child: pid_t = 0
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
            posix_spawn(&child, "/bin/true", &actions, nil, &arguments, nil)
            waitpid(child, nil, 0)
            say("SPAWNED")
        }
        return path
    }

    // MARK: The kernel's refusals

    /// From here on the kernel refuses to read memory by `process_vm_readv`, as a container's filter
    /// does; or ends the process where that is tried.
    ///
    /// - Parameters:
    ///   - verdict: `EPERM` as a rule.
    ///   - inAll: Whether in all threads, or in the calling one.
    ///   - call: Another call's number.
    static func refuseReading(
        _ verdict: UInt32 = 0x0005_0001, inAll: Bool = true, call: UInt32 = 310
    ) {
        struct Instruction {
            var code: UInt16
            var jumpTrue: UInt8 = 0
            var jumpFalse: UInt8 = 0
            var value: UInt32
        }
        struct Program {
            var count: UInt16
            var start: UnsafeMutablePointer<Instruction>?
        }
        var filter = [
            Instruction(code: 0x20, value: 0),  // the call's number
            Instruction(code: 0x15, jumpFalse: 1, value: call),  // process_vm_readv
            Instruction(code: 0x06, value: verdict),
            Instruction(code: 0x06, value: 0x7FFF_0000),
        ]
        _ = processControl(38, 1, 0, 0, 0)  // no new privileges
        let result = filter.withUnsafeMutableBufferPointer { filter in
            var program = Program(count: UInt16(filter.count), start: filter.baseAddress)
            return systemCall(
                317, 1, inAll ? 1 : 0,
                withUnsafeMutablePointer(to: &program) { UInt(bitPattern: $0) })
        }
        if result != 0 { say("seccomp refused: \(errno)") }
    }
}
