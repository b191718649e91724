#if TELLTALE_AGENT
import Dispatch
import Foundation
import TelltaleParked
import TelltaleSystem

@testable import TelltaleAgent

/// Waits that a live party may yet end.
enum LivingShapes {
    static var all: [HeldShape] { timers + sources + workers + continuations + events }

    private static let hour = DispatchTime.now() + 3600

    final class Box<Value>: @unchecked Sendable {  // written by its maker alone
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    final class Service: @unchecked Sendable {
        let semaphore = DispatchSemaphore(value: 0)
        func finish() { semaphore.signal() }
    }

    @inline(never) private static func semaphore(_ stage: Stage) -> DispatchSemaphore {
        let semaphore = DispatchSemaphore(value: 0)
        stage.wait(for: semaphore)
        return semaphore
    }

    /// A timer that only Dispatch retains, until the end.
    private static func timer(
        _ stage: Stage, queue: DispatchQueue, repeating: Bool = false,
        handler: @escaping @Sendable () -> Void
    ) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        if repeating {
            timer.schedule(deadline: hour, repeating: 3600)
        } else {
            timer.schedule(deadline: hour)
        }
        timer.setEventHandler(handler: handler)
        timer.resume()
        let word = ~UInt(bitPattern: Unmanaged.passRetained(timer as AnyObject).toOpaque())
        stage.atEnd { Stage.release(word) }
    }

    /// An event counter whose word in an epoll is a pointer to a service, which nothing else has.
    static func watch(_ service: Service, _ stage: Stage) -> Int32 {
        let epoll = Epoll.make()
        let counter = Epoll.makeCounter()
        let pointer = Unmanaged.passRetained(service).toOpaque()
        Epoll.add(counter, to: epoll, data: UInt64(UInt(bitPattern: pointer)))
        stage.atEnd { close(counter) }
        return epoll
    }

    static let events: [HeldShape] = [
        HeldShape("the word of a descriptor in an epoll", .somebody([.event])) { stage in
            let service = Service()
            stage.wait(for: service.semaphore)
            let epoll = watch(service, stage)
            stage.atEnd { close(epoll) }
        }
    ]

    static let timers: [HeldShape] = [
        HeldShape("a timer", .somebody([.timer])) { stage in
            let semaphore = semaphore(stage)
            timer(stage, queue: .global()) { semaphore.signal() }
        },
        HeldShape("a repeating timer", .somebody([.timer])) { stage in
            let semaphore = semaphore(stage)
            timer(stage, queue: .global(), repeating: true) { semaphore.signal() }
        },
        HeldShape("a timer on a queue of its own", .somebody([.timer])) { stage in
            let semaphore = semaphore(stage)
            timer(stage, queue: DispatchQueue(label: "test.held")) { semaphore.signal() }
        },
        HeldShape("a timer that has an object", .somebody([.timer])) { stage in
            let service = Service()
            stage.wait(for: service.semaphore)
            timer(stage, queue: .global()) { service.finish() }
        },
        HeldShape("a timer with a weak reference", .somebody([.timer, .thread])) { stage in
            let service = Service()
            stage.wait(for: service.semaphore)
            timer(stage, queue: .global()) { [weak service] in service?.finish() }
            stage.thread {
                withExtendedLifetime(service) { Stage.sleep() }
            }
        },
        HeldShape("a timer far away", .somebody([])) { stage in
            let semaphore = semaphore(stage)
            var body: @Sendable () -> Void = { semaphore.signal() }
            for _ in 0..<3 {
                let inner = Box(body)
                body = { inner.value() }
            }
            timer(stage, queue: .global(), handler: body)
        },
        HeldShape("a timer that has it in the midst of a large buffer", .somebody([.timer])) {
            stage in
            let service = Service()
            stage.wait(for: service.semaphore)
            // The first level reads its pages, and the later ones only that which leads anywhere.
            var slots = [Service?](repeating: nil, count: 200_000)
            slots[123_456] = service
            timer(stage, queue: .global()) { [slots] in slots[123_456]?.finish() }
        },
        HeldShape("asyncAfter", .somebody([.timer])) { stage in
            let semaphore = semaphore(stage)
            DispatchQueue.global().asyncAfter(deadline: hour) { semaphore.signal() }
        },
        HeldShape("a run loop's timer", .somebody([])) { stage in
            let semaphore = semaphore(stage)
            stage.thread {
                let date = Date(timeIntervalSinceNow: 3600)
                let timer = Timer(fire: date, interval: 0, repeats: false) { _ in
                    semaphore.signal()
                }
                RunLoop.current.add(timer, forMode: .default)
                RunLoop.current.run(until: Date(timeIntervalSinceNow: 20))
            }
        },
    ]

    static let sources: [HeldShape] = [
        HeldShape("a read source", .somebody([.source])) { stage in
            let semaphore = semaphore(stage)
            let ends = Stage.pipe()
            let source = DispatchSource.makeReadSource(fileDescriptor: ends.0, queue: .global())
            source.setEventHandler { semaphore.signal() }
            source.resume()
            let word = ~UInt(bitPattern: Unmanaged.passRetained(source as AnyObject).toOpaque())
            stage.atEnd { Stage.release(word) }
        },
        HeldShape("a signal source", .somebody([.source])) { stage in
            let semaphore = semaphore(stage)
            let source = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: .global())
            source.setEventHandler { semaphore.signal() }
            source.resume()
            let word = ~UInt(bitPattern: Unmanaged.passRetained(source as AnyObject).toOpaque())
            stage.atEnd { Stage.release(word) }
        },
        HeldShape("a file handle's readabilityHandler", .somebody([.source])) { stage in
            let semaphore = semaphore(stage)
            let ends = Stage.pipe()
            let handle = FileHandle(fileDescriptor: ends.0, closeOnDealloc: false)
            handle.readabilityHandler = { _ in semaphore.signal() }
            let word = ~UInt(bitPattern: Unmanaged.passRetained(handle).toOpaque())
            stage.atEnd { Stage.release(word) }
        },
    ]

    static let workers: [HeldShape] = [
        HeldShape("a thread that sleeps", .somebody([.thread])) { stage in
            let semaphore = semaphore(stage)
            stage.thread {
                Stage.sleep()
                semaphore.signal()
            }
        },
        HeldShape("a thread that reads", .somebody([.thread])) { stage in
            let semaphore = semaphore(stage)
            let ends = Stage.pipe()
            stage.atEnd { Stage.write(ends.1) }
            stage.thread {
                Stage.read(ends.0)
                semaphore.signal()
            }
        },
        HeldShape("a thread that has an object", .somebody([.thread])) { stage in
            let service = Service()
            stage.wait(for: service.semaphore)
            stage.thread {
                Stage.sleep()
                service.finish()
            }
        },
        HeldShape("an item behind a sleeper", .somebody([.item, .thread])) { stage in
            let semaphore = semaphore(stage)
            let queue = DispatchQueue(label: "test.held")
            queue.async { Stage.sleep() }
            queue.async { semaphore.signal() }
        },
        HeldShape("the ninth item of a queue", .somebody([.item])) { stage in
            let semaphore = semaphore(stage)
            let queue = DispatchQueue(label: "test.held")
            queue.async { Stage.sleep() }
            for _ in 0..<8 { queue.async { usleep(1) } }
            queue.async { semaphore.signal() }
            for _ in 0..<8 { queue.async { usleep(1) } }
        },
        HeldShape("an item of the main queue", .somebody([.item])) { stage in
            let semaphore = semaphore(stage)
            let gate = DispatchSemaphore(value: 0)
            stage.atEnd { gate.signal() }
            DispatchQueue.main.async { gate.wait() }
            DispatchQueue.main.async { semaphore.signal() }
        },
        HeldShape("an item that runs", .somebody([.thread, .item])) { stage in
            let semaphore = semaphore(stage)
            DispatchQueue.global().async {
                Stage.sleep()
                semaphore.signal()
            }
        },
        HeldShape("a notification of a group", .somebody([])) { stage in
            let semaphore = semaphore(stage)
            let group = DispatchGroup()
            group.enter()
            group.notify(queue: .global()) { semaphore.signal() }
            timer(stage, queue: .global()) { group.leave() }
        },
        HeldShape("a group that a timer leaves", .somebody([.timer])) { stage in
            let group = DispatchGroup()
            group.enter()
            stage.wait(for: group) {
                ($0 as? DispatchGroup)?.wait()
            } ending: { _ in
            }
            timer(stage, queue: .global()) { group.leave() }
            let word = ~UInt(bitPattern: Unmanaged.passUnretained(group).toOpaque())
            stage.atEnd { Stage.leave(word) }
        },
        HeldShape("a condition that a thread signals", .somebody([.thread])) { stage in
            let condition = NSCondition()
            stage.wait(for: condition, Stage.awaitCondition, ending: Stage.broadcast)
            stage.thread {
                Stage.sleep()
                condition.broadcast()
            }
        },
        HeldShape("a variable", .somebody([.global])) { stage in
            heldByVariable = semaphore(stage)
            stage.atEnd { heldByVariable = nil }
        },
        HeldShape("an object in a table of a variable", .somebody([.global])) { stage in
            let semaphore = DispatchSemaphore(value: 0)
            DeadShapes.keep(Holding(semaphore), stage)
            stage.wait(for: semaphore)
        },
        HeldShape("what a closure in a table of a variable has captured", .somebody([.global])) {
            stage in
            let (semaphore, number) = (DispatchSemaphore(value: 0), Int(getpid()))
            let closure: @Sendable () -> Int = {
                semaphore.signal()
                return number
            }
            DeadShapes.keep(closure, stage)
            stage.wait(for: semaphore)
        },
        HeldShape("an object in a variable", .somebody([.global])) { stage in
            let service = Service()
            stage.wait(for: service.semaphore)
            servicesInVariable.append(service)
            stage.atEnd { servicesInVariable = [] }
        },
        HeldShape("a task that sleeps", .somebody([.task])) { stage in
            let semaphore = semaphore(stage)
            Task.detached {
                try? await Task.sleep(for: .seconds(20))
                semaphore.signal()
            }
        },
    ]

    static let continuations: [HeldShape] = [
        HeldShape("a checked continuation in a timer", .somebody([.timer])) { stage in
            stage.task {
                await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                    timer(stage, queue: .global()) { continuation.resume() }
                }
            }
        },
        HeldShape("an unsafe continuation in a timer", .somebody([.timer])) { stage in
            stage.task {
                await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                    timer(stage, queue: .global()) { continuation.resume() }
                }
            }
        },
        HeldShape("a checked continuation in asyncAfter", .somebody([.timer])) { stage in
            stage.task {
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().asyncAfter(deadline: hour) { continuation.resume() }
                }
            }
        },
        HeldShape("a checked continuation of a thread", .somebody([.thread])) { stage in
            stage.task {
                await withCheckedContinuation { continuation in
                    stage.thread {
                        Stage.sleep()
                        continuation.resume()
                    }
                }
            }
        },
        HeldShape("a checked continuation of a task", .somebody([.task])) { stage in
            stage.task {
                await withCheckedContinuation { continuation in
                    Task.detached {
                        try? await Task.sleep(for: .seconds(20))
                        continuation.resume()
                    }
                }
            }
        },
        HeldShape("a checked continuation in a variable", .somebody([.global])) { stage in
            stage.task {
                await withCheckedContinuation { continuationsInVariable.append($0) }
            }
            stage.atEnd {
                for continuation in continuationsInVariable { continuation.resume() }
                continuationsInVariable = []
            }
        },
        HeldShape("a stream whose producer lives", .somebody([.timer])) { stage in
            let (stream, producer) = AsyncStream<Int>.makeStream()
            timer(stage, queue: .global()) { producer.yield(1) }
            stage.task {
                for await _ in stream {}
            }
        },
    ]
}

nonisolated(unsafe) private var heldByVariable: DispatchSemaphore?
nonisolated(unsafe) private var servicesInVariable: [LivingShapes.Service] = []
nonisolated(unsafe) private var continuationsInVariable: [CheckedContinuation<Void, Never>] = []

extension Stage {
    static func sleep() { Thread.sleep(forTimeInterval: 20) }

    static let awaitCondition: @Sendable (AnyObject) -> Void = { object in
        guard let condition = object as? NSCondition else { return }
        condition.lock()
        condition.wait()
        condition.unlock()
    }

    static let broadcast: @Sendable (AnyObject) -> Void = { object in
        (object as? NSCondition)?.broadcast()
    }

    static func leave(_ word: UInt) {
        guard let pointer = UnsafeRawPointer(bitPattern: ~word) else { return }
        Unmanaged<DispatchGroup>.fromOpaque(pointer).takeUnretainedValue().leave()
    }

    static func pipe() -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        _ = Foundation.pipe(&ends)
        return (ends[0], ends[1])
    }

    static func read(_ end: Int32) {
        var byte: UInt8 = 0
        _ = Foundation.read(end, &byte, 1)
    }

    static func write(_ end: Int32) {
        var byte: UInt8 = 0
        _ = Foundation.write(end, &byte, 1)
    }

    static func resume(_ word: UInt) {
        guard let pointer = UnsafeRawPointer(bitPattern: ~word) else { return }
        let object = Unmanaged<AnyObject>.fromOpaque(pointer).takeRetainedValue()
        (object as? any DispatchSourceProtocol)?.resume()
        (object as? any DispatchSourceProtocol)?.cancel()
    }

    /// Lets an object go of which only its inverted address is known.
    static func release(_ word: UInt) {
        guard let pointer = UnsafeRawPointer(bitPattern: ~word) else { return }
        let object = Unmanaged<AnyObject>.fromOpaque(pointer).takeRetainedValue()
        if let source = object as? any DispatchSourceProtocol { source.cancel() }
        if let handle = object as? FileHandle { handle.readabilityHandler = nil }
    }
}
#endif
