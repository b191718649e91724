import Dispatch
import Foundation
import Synchronization
import TelltaleAgent
import TelltaleFoundation

/// A small service that stands in one way, well or not: what `stuck` is measured on.
///
/// The expectations are in `ShapeTable.swift` of the end-to-end tests. A function in which a stuck
/// shape is blocked has a name that says why, and `// blocks: NAME` in the line of the call.
struct Shape: Sendable {
    /// The name in `--shape NAME`.
    let name: String
    /// The main thread's activity meanwhile; `nil` for its queue.
    let main: (@Sendable () -> Void)?
    /// Makes it, on a thread that ends.
    let stage: @Sendable () -> Void

    init(
        _ name: String, main: (@Sendable () -> Void)? = nil, stage: @escaping @Sendable () -> Void
    ) {
        self.name = name
        self.main = main
        self.stage = stage
    }

    static let all =
        fedOnes + timers + sources + workers + bridges + continuations + streams + tasks + queues
        + operations + locks + servers + cycles + taskCycles + pools + mainThreads + busyOnes
        + loops + acceptors + systemOnes + kernelOnes

    /// The faults on which `doctor` is measured, beside the shapes.
    static let cases = borderCases + waitCases + knotCases + largeService

    /// Returns the argument of `--shape`.
    static func asked(in arguments: [String]) -> String? {
        guard let index = arguments.firstIndex(of: "--shape"), index + 1 < arguments.count else {
            return nil
        }
        return arguments[index + 1]
    }

    /// Becomes the service, or lists all where the name is `list`.
    static func run(_ name: String) -> Never {
        if name == "list" {
            for shape in all { say(shape.name) }
            exit(0)
        }
        guard let shape = (all + cases).first(where: { $0.name == name }) else {
            say("no shape \(name)")
            exit(2)
        }
        // None reads its standard input, since a thread that waits for it would be hope for others:
        // one whose test has ended is ended by this.
        alarm(900)
        signal(SIGPIPE, SIG_IGN)
        // Those that a test runner left open would count for the cases that count them.
        if cases.contains(where: { $0.name == name }) {
            for inherited in Int32(3)..<1024 { close(inherited) }
        }
        let isLate = CommandLine.arguments.contains("--agent-late")
        if !isLate { startAgent() }
        let staged = DispatchSemaphore(value: 0)
        // Its stack goes: nothing but the shape itself retains the shape's objects.
        Thread.detachNewThread {
            shape.stage()
            staged.signal()
        }
        staged.wait()
        if isLate {
            Thread.detachNewThread {
                sleep(2)
                startAgent()
                say("READY \(getpid())")
            }
        } else {
            say("READY \(getpid())")
        }
        shape.main?()
        dispatchMain()
    }

    private static func startAgent() {
        Telltale.useFoundation()
        Telltale.start()
    }
}

/// The permanent state of a service: its sources and sockets, never the objects waited for.
final class Kept: @unchecked Sendable {  // guarded by its lock
    private static let shared = Kept()
    private let lock = NSLock()
    private var things: [Any] = []

    static func keep(_ thing: Any) { shared.lock.withLock { shared.things.append(thing) } }
}

/// Runs on a thread of its own, and returns when it has begun.
func onThread(_ body: @escaping @Sendable () -> Void) {
    let begun = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        begun.signal()
        body()
    }
    begun.wait()
}

/// Runs on a queue, and returns when it has begun.
func onQueue(
    _ queue: DispatchQueue, flags: DispatchWorkItemFlags = [],
    _ body: @escaping @Sendable () -> Void
) {
    let begun = DispatchSemaphore(value: 0)
    queue.async(flags: flags) {
        begun.signal()
        body()
    }
    begun.wait()
}

/// Items that find the queue occupied.
func standInLine(_ queue: DispatchQueue, _ count: Int = 3) {
    for _ in 0..<count { queue.async {} }
}

/// Until the started work has reached its final location.
func settle() { pause(microseconds: 100_000) }

func pause(microseconds: UInt32) { usleep(microseconds) }

/// A timer that runs its handler, and is kept.
func startTimer(after seconds: Double, every: Double? = nil, _ body: @escaping @Sendable () -> Void)
{
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "shape.timer"))
    timer.schedule(deadline: .now() + seconds, repeating: every ?? .infinity)
    timer.setEventHandler(handler: body)
    timer.activate()
    Kept.keep(timer)
}

/// A wait that a live thread will end: a thread that waits alone, and (`NAME-with-line`) the item
/// of a queue with others behind it.
func fed(_ name: String, _ feed: @escaping @Sendable (DispatchSemaphore) -> Void) -> [Shape] {
    [
        Shape(name) {
            let arrived = DispatchSemaphore(value: 0)
            feed(arrived)
            onThread { while true { arrived.wait() } }
        },
        Shape(name + "-with-line") {
            let arrived = DispatchSemaphore(value: 0)
            feed(arrived)
            let handling = DispatchQueue(label: "shape.handling")
            onQueue(handling) { while true { arrived.wait() } }
            standInLine(handling)
        },
    ]
}

/// Longer than any test asks.
let longTime = 3600.0
