import Dispatch
import Foundation

extension Shape {
    /// A semaphore, and one of each kind that will signal it.
    static let fedOnes =
        fed("timer-signals-hourly") { ticks in
            startTimer(after: longTime, every: longTime) { ticks.signal() }
        }
        + fed("one-shot-timer-signals") { ready in
            startTimer(after: longTime) { ready.signal() }
        }
        + fed("async-after-signals") { ready in
            DispatchQueue.global().asyncAfter(deadline: .now() + longTime) { ready.signal() }
        }
        + fed("run-loop-timer-signals") { ticks in
            onThread {
                RunLoop.current.add(
                    Timer(timeInterval: longTime, repeats: true) { _ in ticks.signal() },
                    forMode: .common)
                RunLoop.current.run()
            }
        }
        + fed("sleeping-task-signals") { ready in
            Task {
                try? await Task.sleep(for: .seconds(900))
                ready.signal()
            }
        }
        + fed("read-source-signals") { arrived in
            let source = DispatchSource.makeReadSource(
                fileDescriptor: Loopback.datagramSocket(),
                queue: DispatchQueue(label: "shape.input"))
            source.setEventHandler { arrived.signal() }
            source.activate()
            Kept.keep(source)
        }
        + fed("signal-source-signals") { arrived in
            Kept.keep(SourceShapes.source(of: SIGHUP) { arrived.signal() })
        }
        // As clients of a broker do: one thread receives, others handle.
        + fed("subscriber-thread-signals") { arrived in
            let socket = Loopback.datagramSocket()
            onThread {
                var byte: UInt8 = 0
                while recv(socket, &byte, 1, 0) >= 0 { arrived.signal() }
            }
        }
        + fed("readability-handler-signals") { arrived in
            let pipe = Pipe()
            pipe.fileHandleForReading.readabilityHandler = { handle in
                _ = handle.availableData
                arrived.signal()
            }
            Kept.keep(pipe)
            // The writer has its own pace.
            onThread {
                while true {
                    Thread.sleep(forTimeInterval: 20)
                    pipe.fileHandleForWriting.write(Data([1]))
                }
            }
        }
        + fed("sleeping-thread-signals") { jobs in
            onThread {
                while true {
                    Thread.sleep(forTimeInterval: 20)
                    jobs.signal()
                }
            }
        }
        + fed("queued-item-signals") { jobs in
            let feeding = DispatchQueue(label: "shape.feeding")
            onQueue(feeding) { Thread.sleep(forTimeInterval: 900) }
            feeding.async { jobs.signal() }
        }
}
