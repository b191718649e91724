import Dispatch
import Foundation
import Synchronization
import TelltaleAgent

/// The objects of the tests: one of each kind of owner, and faults that can be staged.
final class Stage: @unchecked Sendable {
    // Set in `init` or before the agent starts; each object documents its owner.
    let photos = PhotoLibrary()
    let queue = DispatchQueue(label: "test.photos", attributes: .concurrent)
    let store = Store()
    let cache = Cache()
    let view = View()
    let plain = Plain()
    private var sources: [any DispatchSourceProtocol] = []
    private let gate = DispatchSemaphore(value: 0)
    private var passing: (PhotoLibrary, Store, Plain)? = (PhotoLibrary(), Store(), Plain())
    private let heard = Heard()

    /// Prepares the host before the agent starts.
    func prepare(_ options: Set<String>) {
        ExecutionModes.prepare(options)
        StackModes.prepare(options)
        EndModes.prepare(options)
        prepareSignalModes(options)
        if options.contains("no-reading") { Adversity.refuseReading() }
        if options.contains("earlier-handler") {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in earlierCalls.add(1, ordering: .relaxed) }
            sigaction(SIGUSR1, &action, nil)
        }
        if options.contains("blocked") {
            var set = sigset_t()
            sigemptyset(&set)
            sigaddset(&set, SIGUSR1)
            pthread_sigmask(SIG_BLOCK, &set, nil)
        }
        if options.contains("own-source") {
            let source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .global())
            source.setEventHandler { earlierCalls.add(1, ordering: .relaxed) }
            source.activate()
            sources.append(source)
            // Until Dispatch has armed it, a signal would end the process.
            while sigaction.current(SIGUSR1) == nil { usleep(1000) }
        }
        if options.contains("faces") {
            let heard = heard
            for (name, signal) in [
                ("usr1", SignalName.userDefined1), ("continue", .continue), ("stop", .stop),
            ] {
                let source = Telltale.on(signal, queue: DispatchQueue(label: "test.faces")) {
                    report in
                    let pause = report.pause.map { "\($0.atLeast)…\($0.atMost)" } ?? "no pause"
                    let tracer = report.tracer.map { "\($0.pid):\($0.name ?? "?")" } ?? "no tracer"
                    heard.append("\(name) \(report.count) \(report.senderPID) \(pause) \(tracer)")
                }
                // As the tutorials do with a source of Dispatch's own; harmless on this one.
                source.resume()
                sources.append(source)
            }
        }
    }

    func register() {
        Telltale.register(photos, as: "photos", on: queue)
        Telltale.register(store, as: "store")
        Telltale.register(view, as: "view", on: MainActor.shared)
        let cache = cache
        Telltale.register(
            cache, as: "cache", under: { body in cache.lock.withLock { _ in body() } })
        Telltale.register(plain, as: "plain")
        Telltale.register("answer") { 42 }
        if options.contains("passing"), let passing {
            Telltale.register(passing.0, as: "passing.library", on: queue)
            Telltale.register(passing.1, as: "passing.store")
            Telltale.register(passing.2, as: "passing.plain")
        }
        let photos = photos
        Telltale.action("photos.add", on: queue) { (title: String, size: Int) -> Int in
            photos.items.append(Photo(title: title, size: size))
            return photos.items.count
        }
        Telltale.action("photos.fail", on: queue) { () throws -> Void in throw StageError.asked }
        Telltale.action("photos.remove", of: photos, PhotoLibrary.remove)
        let store = store
        Telltale.action("store.refresh") { (count: Int) async throws -> Int in
            await store.refresh(count)
        }
        Telltale.action("view.rename", on: MainActor.shared) { (title: String) -> Bool in
            Thread.isMainThread && !title.isEmpty
        }
    }

    /// Runs a command and answers in one line.
    func perform(_ line: String) -> String {
        let words = line.split(separator: " ").map(String.init)
        switch words.first {
        case "start": return "\(Telltale.start().state.rawValue)"
        case "stop":
            Telltale.stop()
            return "stopped"
        case "status":
            let status = Telltale.status
            return "\(status.state.rawValue) \(status.problems.joined(separator: " | "))"
        case "block":
            let gate = gate
            let begun = DispatchSemaphore(value: 0)
            queue.async(flags: .barrier) {
                begun.signal()
                gate.wait()
            }
            begun.wait()
            return "blocked"
        case "unblock":
            gate.signal()
            return "unblocked"
        case "exhaust":
            for number in 0..<(Int(words.last ?? "") ?? 600) {
                DispatchQueue(label: "test.blocked.\(number)").async {
                    Thread.sleep(forTimeInterval: 3600)
                }
            }
            return "exhausted"
        case "let-go":
            passing = nil
            ActorModes.letGo()
            return "gone"
        case "wedge": return wedge(words.last ?? "")
        case "rush": return Rush.perform(words)
        case "churn": return Churn.perform(words.last ?? "")
        case "earlier": return "\(earlierCalls.load(ordering: .relaxed))"
        case "heard":
            return heard.all.joined(separator: " | ")
        case "prompt": return queue.sync { photos.prompt ?? "nil" }
        case "count": return queue.sync { "\(photos.items.count)" }
        case "masks": return masks(from: words.last ?? "main")
        case "fork": return fork(starting: words.last == "start")
        case "start-fork":
            // While the agent learns how the runtimes keep their objects.
            Telltale.start()
            return fork(starting: true)
        case "take":
            // The host puts a handler over the agent's.
            signal(SIGUSR1) { _ in earlierCalls.add(1, ordering: .relaxed) }
            return "taken"
        default:
            return performSignalMode(words) ?? ParkModes.perform(words)
                ?? DispatchModes.perform(words) ?? TaskModes.perform(words) ?? Turmoil.perform(
                    words) ?? Adversity.perform(words)
                ?? OperationModes.perform(words) ?? Bound.perform(words) ?? CallModes.perform(words)
                ?? CopyModes.perform(words) ?? FaultModes.perform(words)
                ?? EventLoopModes.perform(words)
                ?? StackModes.perform(words) ?? ExecutionModes.perform(words)
                ?? Closing.perform(words) ?? BoundActor.perform(words)
                ?? LargeObjects.perform(words) ?? Sessions.perform(words)
                ?? HeapModes.perform(words)
                ?? Writers.perform(words) ?? EndModes.perform(words)
                ?? SizeModes.perform(words) ?? SpendModes.perform(words) ?? "unknown"
        }
    }

    // The signal sets of a child as `main`, a worker of Dispatch, or a task starts it.
    private func masks(from where: String) -> String {
        let box = MaskBox()
        let done = DispatchSemaphore(value: 0)
        let work: @Sendable () -> Void = {
            box.text = Self.childMasks()
            done.signal()
        }
        switch `where` {
        case "worker": DispatchQueue.global().async(execute: work)
        case "task": Task.detached { work() }
        default: DispatchQueue.main.async(execute: work)
        }
        done.wait()
        return box.text
    }

    private static func childMasks() -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/grep")
        process.arguments = ["-E", "Sig(Blk|Ign)", "/proc/self/status"]
        let pipe = Pipe()
        process.standardOutput = pipe
        do { try process.run() } catch { return "\(error)" }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n")
            .map { $0.replacingOccurrences(of: "\t", with: "") }.joined(separator: " ")
    }

    // A forked child without exec: its answer to SIGUSR1, and whether it holds descriptors.
    private func fork(starting: Bool) -> String {
        let pid = forkChild(starting ? 1 : 0)
        return "\(pid)"
    }
}

final class MaskBox: @unchecked Sendable {
    // Written before the semaphore is signalled, read after.
    var text = ""
}

let earlierCalls = Atomic<Int>(0)

enum StageError: Error { case asked }

/// The records of the host's own signal handlers.
final class Heard: Sendable {
    private let lines = Mutex<[String]>([])

    func append(_ text: String) { lines.withLock { $0.append(text) } }
    var all: [String] { lines.withLock { $0 } }
}

extension sigaction {
    /// The handler's address; nil for the default or "ignore".
    static func current(_ signal: Int32) -> UInt? {
        var action = sigaction()
        _ = systemAction(signal, nil, &action)
        let bits = unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self)
        return bits > 1 ? bits : nil
    }
}

@_silgen_name("sigaction") private func systemAction(
    _ signal: Int32, _ new: UnsafePointer<sigaction>?, _ old: UnsafeMutablePointer<sigaction>?
) -> Int32

/// One complete line at once, so that two threads' lines don't mix.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
