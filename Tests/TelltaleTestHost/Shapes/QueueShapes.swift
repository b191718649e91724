import Dispatch
import Foundation
import TelltaleAgent

extension Shape {
    /// Queues whose items have a known end, that the host suspended, or that can't continue.
    static let queues = [
        Shape("sleeping-reader-behind-barrier") {
            let table = DispatchQueue(label: "shape.table", attributes: .concurrent)
            for _ in 0..<50 {
                table.async { QueueShapes.readSlowly() }
                table.async(flags: .barrier) {}
            }
        },
        Shape("sleeping-item-with-others-in-line") {
            let line = DispatchQueue(label: "shape.line")
            for _ in 0..<50 { line.async { Thread.sleep(forTimeInterval: 15) } }
        },
        Shape("sleeping-lock-holder") {
            let lock = NSLock()
            let line = DispatchQueue(label: "shape.line")
            onThread {
                while true {
                    lock.withLock { Thread.sleep(forTimeInterval: 15) }
                    // A lock is not fair: each waiting thread gets it now and then.
                    pause(microseconds: 1000)
                }
            }
            settle()
            onQueue(line) { while true { lock.withLock {} } }
            standInLine(line)
        },
        Shape("slow-initialiser") {
            let line = DispatchQueue(label: "shape.line")
            onThread { _ = QueueShapes.slow }
            onQueue(line) { _ = QueueShapes.slow }
            standInLine(line)
        },
        Shape("suspended-queue-without-items") {
            let paused = DispatchQueue(label: "shape.paused")
            paused.suspend()
            Kept.keep(paused)
        },
        Shape("suspended-queue-with-items") {
            let paused = DispatchQueue(label: "shape.paused")
            paused.suspend()
            Kept.keep(paused)
            standInLine(paused)
        },
        Shape("queues-in-use") {
            let line = DispatchQueue(label: "shape.line")
            let table = DispatchQueue(label: "shape.table", attributes: .concurrent)
            onThread {
                while true {
                    line.sync { pause(microseconds: 500) }
                    table.sync(flags: .barrier) { pause(microseconds: 500) }
                }
            }
            onThread { while true { table.sync { line.sync { pause(microseconds: 500) } } } }
        },
        Shape("barrier-behind-blocked-reader") {
            let table = DispatchQueue(label: "shape.table", attributes: .concurrent)
            onQueue(table) {
                let page = DispatchSemaphore(value: 0)
                QueueShapes.readPageThatNeverComes(page)
            }
            table.async(flags: .barrier) {}
            standInLine(table)
        },
        Shape("registered-owner-hangs") {
            let stock = Stock()
            Telltale.register(stock, as: "stock", on: stock.queue)
            Kept.keep(stock)
            onQueue(stock.queue) {
                let delivery = DispatchSemaphore(value: 0)
                QueueShapes.waitForDeliveryNobodyMakes(delivery)
            }
        },
        Shape("barrier-behind-own-reader") {
            let table = DispatchQueue(label: "shape.table", attributes: .concurrent)
            let inner = DispatchQueue(label: "shape.inner")
            // The path back leads over another queue, as it does in code that hides the cycle.
            onQueue(table) { inner.sync { QueueShapes.writeWhileReading(table) } }
        },
    ]
}

private enum QueueShapes {
    static let slow: Int = {
        Thread.sleep(forTimeInterval: 900)
        return 1
    }()

    static func readSlowly() { Thread.sleep(forTimeInterval: 12) }

    static func readPageThatNeverComes(_ page: DispatchSemaphore) {
        page.wait()  // blocks: readPageThatNeverComes
    }

    static func waitForDeliveryNobodyMakes(_ delivery: DispatchSemaphore) {
        delivery.wait()  // blocks: waitForDeliveryNobodyMakes
    }

    static func writeWhileReading(_ table: DispatchQueue) {
        table.sync(flags: .barrier) {}  // blocks: writeWhileReading
    }
}

/// A registered object whose queue doesn't answer.
private final class Stock: @unchecked Sendable {  // guarded by its queue
    let queue = DispatchQueue(label: "shape.stock")
    var count = 0
}
