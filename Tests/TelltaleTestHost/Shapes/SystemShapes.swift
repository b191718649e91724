import Dispatch
import Foundation
import Synchronization

extension Shape {
    /// Waits by what the system has below Swift: POSIX's conditions and semaphores, pipes, locks on files,
    /// channels of Dispatch's.
    static let systemOnes = [
        // A pool as it is written in C++: the submitter of the job has notified no worker, and its
        // only client is the thread that waits for that job.
        Shape("posix-pool-without-notify") {
            let pool = POSIXPool(workers: 3)
            let clients = DispatchQueue(label: "shape.clients")
            settle()
            onQueue(clients) {
                let done = DispatchSemaphore(value: 0)
                pool.submit(isNotifying: false) { done.signal() }
                SystemShapes.waitForJobNobodyWasToldOf(done)
            }
            standInLine(clients)
        },
        // The same with a live timer that notifies it of the next one.
        Shape("posix-pool-notified-by-timer") {
            let pool = POSIXPool(workers: 3)
            let clients = DispatchQueue(label: "shape.clients")
            settle()
            startTimer(after: longTime) { pool.submit {} }
            onQueue(clients) {
                let done = DispatchSemaphore(value: 0)
                pool.submit(isNotifying: false) { done.signal() }
                done.wait()
            }
            standInLine(clients)
        },
        // A signal's handler may call only a few functions: it posts a semaphore of POSIX's.
        Shape("posix-semaphore-of-signal-handler") {
            SystemShapes.reload.wait(while: { false })
            signal(SIGUSR2) { _ in SystemShapes.reload.post() }
            let reloads = DispatchQueue(label: "shape.reloads")
            onQueue(reloads) { SystemShapes.reload.wait(while: { true }) }
            standInLine(reloads)
        },
        // Its writer is in this process, and can't continue before the reader has.
        Shape("pipe-of-blocked-writer") {
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            let (input, output) = (ends[0], ends[1])
            let read = DispatchSemaphore(value: 0)
            let reading = DispatchQueue(label: "shape.reading")
            onQueue(reading) {
                SystemShapes.readWhatNobodyWrites(input)
                read.signal()
            }
            onThread {
                read.wait()
                write(output, "a", 1)
            }
            standInLine(reading)
        },
        // Another process has it for as long as that lives.
        Shape("file-lock-of-another-process") {
            let path = NSTemporaryDirectory() + "telltale-shape-\(getpid()).lock"
            let theirs = open(path, O_CREAT | O_RDWR, 0o600)
            flock(theirs, LOCK_EX)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sleep")
            process.arguments = ["900"]
            process.standardInput = FileHandle(fileDescriptor: theirs)
            try? process.run()
            Kept.keep(process)
            close(theirs)
            let ours = open(path, O_RDWR)
            unlink(path)
            let storing = DispatchQueue(label: "shape.storing")
            onQueue(storing) { SystemShapes.lockFile(ours) }
            standInLine(storing)
        },
        // A channel that something may yet come by.
        Shape("channel-waits-for-input") {
            let channel = SystemShapes.channel(of: Loopback.datagramSocket())
            let arrived = DispatchSemaphore(value: 0)
            SystemShapes.read(channel, on: DispatchQueue(label: "shape.channel")) {
                arrived.signal()
            }
            let handling = DispatchQueue(label: "shape.handling")
            onQueue(handling) { arrived.wait() }
            standInLine(handling)
        },
        // Queues of Dispatch's own are suspended for as long as it is.
        Shape("channel-is-open") {
            let channel = SystemShapes.channel(of: Loopback.datagramSocket())
            SystemShapes.read(channel, on: DispatchQueue(label: "shape.channel")) {}
        },
        // Arrived data is handed over on the very queue that is blocked waiting for it.
        Shape("channel-answers-behind-oneself") {
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            write(ends[1], "a", 1)
            let channel = SystemShapes.channel(of: ends[0])
            let handling = DispatchQueue(label: "shape.handling")
            onQueue(handling) {
                let arrived = DispatchSemaphore(value: 0)
                SystemShapes.read(channel, on: handling) { arrived.signal() }
                SystemShapes.waitForInputBehindOneself(arrived)
            }
            standInLine(handling)
        },
    ]
}

private enum SystemShapes {
    static let reload = POSIXSemaphore()

    static func waitForJobNobodyWasToldOf(_ done: DispatchSemaphore) {
        done.wait()  // blocks: waitForJobNobodyWasToldOf
    }

    static func readWhatNobodyWrites(_ descriptor: Int32) {
        var byte: UInt8 = 0
        Glibc.read(descriptor, &byte, 1)
    }

    static func lockFile(_ descriptor: Int32) {
        while flock(descriptor, LOCK_EX) != 0 {}
    }

    static func channel(of descriptor: Int32) -> DispatchIO {
        let channel = DispatchIO(
            type: .stream, fileDescriptor: descriptor, queue: .global(),
            cleanupHandler: { _ in close(descriptor) })
        channel.setLimit(lowWater: 1)
        Kept.keep(channel)
        return channel
    }

    static func read(
        _ channel: DispatchIO, on queue: DispatchQueue, _ handle: @escaping @Sendable () -> Void
    ) {
        channel.read(offset: 0, length: 1, queue: queue) { isDone, _, _ in if isDone { handle() } }
    }

    static func waitForInputBehindOneself(_ arrived: DispatchSemaphore) {
        arrived.wait()  // blocks: waitForInputBehindOneself
    }
}

/// A semaphore whose memory is the program's own.
private final class POSIXSemaphore: @unchecked Sendable {  // the C library guards it
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    func post() { sem_post(semaphore) }
    func wait(while isWanted: () -> Bool) { while isWanted() { sem_wait(semaphore) } }
}

/// Threads that wait on a condition until there is a job.
private final class POSIXPool: @unchecked Sendable {  // guarded by its mutex
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [@Sendable () -> Void] = []

    init(workers: Int) {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
        for _ in 0..<workers { onThread { [self] in work() } }
    }

    func submit(isNotifying: Bool = true, _ job: @escaping @Sendable () -> Void) {
        pthread_mutex_lock(mutex)
        jobs.append(job)
        if isNotifying { pthread_cond_signal(condition) }
        pthread_mutex_unlock(mutex)
    }

    private func work() {
        while true {
            pthread_mutex_lock(mutex)
            while jobs.isEmpty { pthread_cond_wait(condition, mutex) }
            let job = jobs.removeFirst()
            pthread_mutex_unlock(mutex)
            job()
        }
    }
}
