import Dispatch
import Foundation

extension Zoo {
    static func makeDispatch() -> AnyObject { Dispatched() }
    static func makeExistentials() -> AnyObject { Existentials() }
    static func makeConcurrency() -> AnyObject { Concurrent() }
    static func makeKeyPaths() -> AnyObject { KeyPaths() }
}

private final class Dispatched {
    let serial = DispatchQueue(label: "com.example.serial")
    let concurrent = DispatchQueue(label: "com.example.concurrent", attributes: .concurrent)
    let main = DispatchQueue.main
    let global = DispatchQueue.global(qos: .utility)
    let suspended = DispatchQueue(label: "com.example.suspended", attributes: .initiallyInactive)
    let busy = DispatchQueue(label: "com.example.waiting")
    let group = DispatchGroup()
    let semaphore = DispatchSemaphore(value: 2)
    let timer: any DispatchSourceTimer
    let reads: any DispatchSourceRead
    let item = DispatchWorkItem {}
    let cancelled = DispatchWorkItem {}
    let absent: DispatchQueue? = nil
    let queues: [DispatchQueue]
    let byName: [String: DispatchGroup]
    let time = DispatchTime(uptimeNanoseconds: 1_000_000_000)
    let interval = DispatchTimeInterval.milliseconds(250)
    let quality = DispatchQoS.utility

    init() {
        timer = DispatchSource.makeTimerSource(queue: serial)
        timer.schedule(deadline: .distantFuture)
        timer.setEventHandler {}
        timer.resume()
        reads = DispatchSource.makeReadSource(fileDescriptor: 0, queue: serial)
        queues = [serial, concurrent]
        byName = ["g": group]
        group.enter()
        group.enter()
        cancelled.cancel()
    }
    deinit {
        group.leave()
        group.leave()
        reads.cancel()
        reads.resume()
        suspended.activate()
    }
}

private struct Big: Named {
    var name = "big"
    var words = (1, 2, 3, 4, 5)
}

private final class Heard: Named {
    let name = "heard"
}

private protocol Delegate: AnyObject {}
private final class Sink: Delegate { var heard = 2 }

private enum Failure: Error { case broken(code: Int), gone }
private struct Timeout: Error { var seconds = 3.5 }

private final class Existentials {
    let small: any Named = Job(name: "s", size: 1)
    let big: any Named = Big()
    let object: any Named = Heard()
    let any: Any = 5
    let text: Any = "text"
    let nothing: Any? = nil
    let nested: Any = [1, "two", nil] as [Any?]
    let delegate: (any Delegate)? = Sink()
    weak var weakly: (any Delegate)?
    let all: [any Named] = [Job(name: "j", size: 2), Big(), Heard()]
    let byName: [String: any Named] = ["b": Big()]
    let error: any Error = Failure.broken(code: 7)
    let noError: (any Error)? = nil
    let success: Result<Int, any Error> = .success(3)
    let failure: Result<Int, any Error> = .failure(Failure.gone)
    let typed: Result<String, Timeout> = .failure(Timeout())
    let list: any Collection = [1, 2]
    let ints: any Collection<Int> = [3, 4]
    let sendable: any Sendable & Hashable = 9
    let hashable = AnyHashable("h")
    let type: Any.Type = Job.self
    let protocolType: any Named.Type = Job.self
    let someone: some Named = Job(name: "some", size: 3)
}

private final class Concurrent {
    let stream: AsyncStream<Int>
    let continuation: AsyncStream<Int>.Continuation
    let throwing: AsyncThrowingStream<String, any Error>
    let throwingContinuation: AsyncThrowingStream<String, any Error>.Continuation
    let newest: AsyncStream<Job>
    let ended: AsyncStream<Int>

    init() {
        (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        continuation.yield(1)
        continuation.yield(2)
        (throwing, throwingContinuation) = AsyncThrowingStream.makeStream(of: String.self)
        throwingContinuation.yield("a")
        let (newest, jobs) = AsyncStream.makeStream(
            of: Job.self, bufferingPolicy: .bufferingNewest(2))
        for number in 1...3 { jobs.yield(Job(name: "j", size: number)) }
        self.newest = newest
        let (ended, end) = AsyncStream.makeStream(of: Int.self)
        end.finish()
        self.ended = ended
    }
}

private struct Outer {
    var inner = Inner()
    var list = [1, 2]
    var table = ["k": 3]
    var perhaps: Inner? = Inner()
    var object = Holder()
    var twice: Int { inner.x * 2 }
    struct Inner { var x = 1 }
}

private final class KeyPaths {
    let stored = \Job.name
    let writable: WritableKeyPath<Outer, Int> = \.inner.x
    let computed: KeyPath<Outer, Int> = \.twice
    let index: WritableKeyPath<Outer, Int> = \.list[1]
    let optional: KeyPath<Outer, Int?> = \.perhaps?.x
    let through: KeyPath<Outer, Int> = \.object.count
    let partial: PartialKeyPath<Job> = \Job.size
    let any: AnyKeyPath = \Outer.list.count
    let itself: KeyPath<Job, Job> = \.self
    let all: [PartialKeyPath<Job>] = [\.name, \.size]
}
