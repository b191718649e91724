import Dispatch
import Foundation
import Synchronization

extension Shape {
    /// Input or a signal from outside will come, or never can.
    static let sources = [
        Shape("idle-service-group") {
            let (signals, arrived) = AsyncStream.makeStream(of: Int32.self)
            let source = SourceShapes.source(of: SIGTERM) { arrived.yield(SIGTERM) }
            Kept.keep(source)
            let shutdown = AsyncStream.makeStream(of: Void.self)
            Task { @MainActor in
                await withTaskGroup(of: Void.self) { group in
                    group.addTask(name: "signals") {
                        for await _ in signals { shutdown.continuation.finish() }
                    }
                    for number in 0..<2 {
                        group.addTask(name: "service \(number)") {
                            for await _ in shutdown.stream {}
                        }
                    }
                    await group.waitForAll()
                }
                exit(0)
            }
        },
        Shape("idle-signal-continuation") {
            Task { @MainActor in
                await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                    let once = Mutex<CheckedContinuation<Void, Never>?>(done)
                    Kept.keep(
                        SourceShapes.source(of: SIGTERM) {
                            once.withLock { $0.take() }?.resume()
                        })
                }
                exit(0)
            }
        },
        Shape("global-semaphore-of-signal-source") {
            Kept.keep(SourceShapes.source(of: SIGHUP) { SourceShapes.reload.signal() })
            onThread { while true { SourceShapes.waitForReload() } }
        },
        Shape("continuation-held-by-blocked-reader") {
            let socket = Loopback.datagramSocket()
            Task {
                await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                    Thread.detachNewThread {
                        var byte: UInt8 = 0
                        _ = recv(socket, &byte, 1, 0)
                        done.resume()
                    }
                }
            }
        },
        Shape("child-process-awaited") {
            let jobs = DispatchQueue(label: "shape.jobs")
            onQueue(jobs) {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/bin/sleep")
                process.arguments = ["900"]
                try? process.run()
                process.waitUntilExit()
            }
        },
        // The writer is gone, and so is the handler that would have signalled.
        Shape("semaphore-of-cancelled-read-source") {
            let arrived = DispatchSemaphore(value: 0)
            let socket = Loopback.datagramSocket()
            let source = DispatchSource.makeReadSource(
                fileDescriptor: socket, queue: DispatchQueue(label: "shape.input"))
            source.setEventHandler { arrived.signal() }
            source.activate()
            source.cancel()
            let handling = DispatchQueue(label: "shape.handling")
            onQueue(handling) { SourceShapes.waitForCancelledInput(arrived) }
            standInLine(handling)
        },
    ]
}

enum SourceShapes {
    static let reload = DispatchSemaphore(value: 0)

    static func waitForReload() { reload.wait() }

    static func source(
        of number: Int32, _ body: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(
            signal: number, queue: DispatchQueue(label: "shape.signals"))
        source.setEventHandler(handler: body)
        source.activate()
        return source
    }

    static func waitForCancelledInput(_ arrived: DispatchSemaphore) {
        arrived.wait()  // blocks: waitForCancelledInput
    }
}

/// Sockets on 127.0.0.1 with a port that the kernel chose.
enum Loopback {
    static func datagramSocket() -> Int32 { bound(socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)) }

    static func listener() -> Int32 {
        let descriptor = bound(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        listen(descriptor, 128)
        return descriptor
    }

    /// A connection to a listener of this process.
    static func connection(to listener: Int32) -> Int32 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(listener, $0, &length)
                connect(descriptor, $0, length)
            }
        }
        return descriptor
    }

    static func port(of listener: Int32) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(listener, $0, &length)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func bound(_ descriptor: Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return descriptor
    }
}
