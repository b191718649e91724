import Dispatch
import Foundation

extension Shape {
    /// Operations that finish, and some that can't begin.
    static let operations = [
        Shape("sleeping-operation") {
            let operations = OperationQueue()
            operations.maxConcurrentOperationCount = 1
            for _ in 0..<50 {
                operations.addOperation { Thread.sleep(forTimeInterval: 15) }
            }
            onThread { operations.waitUntilAllOperationsAreFinished() }
        },
        Shape("operations-in-use") {
            let operations = OperationQueue()
            operations.maxConcurrentOperationCount = 2
            onThread {
                while true {
                    for _ in 0..<4 { operations.addOperation { pause(microseconds: 1000) } }
                    operations.waitUntilAllOperationsAreFinished()
                }
            }
        },
        Shape("operations-depend-on-each-other") {
            let operations = OperationQueue()
            let publishing = DispatchQueue(label: "shape.publishing")
            let (crop, scale) = (NamedOperation("crop"), NamedOperation("scale"))
            crop.addDependency(scale)
            scale.addDependency(crop)
            operations.addOperations([crop, scale], waitUntilFinished: false)
            onQueue(publishing) { OperationShapes.waitForCircleOfDependencies(operations) }
        },
        Shape("operation-waits-for-own-queue") {
            let operations = OperationQueue()
            operations.maxConcurrentOperationCount = 1
            operations.addOperation {
                OperationShapes.waitForOperationBehindOneself(operations)
            }
        },
        // The agent does not know this queue, and a live thread has it.
        Shape("operation-waits-for-own-unobserved-queue") {
            let operations = OperationQueue()
            operations.maxConcurrentOperationCount = 4
            Kept.keep(operations)
            operations.addOperation { OperationShapes.waitForAllWithOneself(operations) }
        },
        Shape("operation-adds-to-own-unobserved-queue") {
            let operations = OperationQueue()
            operations.maxConcurrentOperationCount = 1
            Kept.keep(operations)
            operations.addOperation(
                ImportOperation { OperationShapes.addAndWaitInOwnQueue(operations) })
        },
        // Near misses: the operation waited for does not depend on the waiting thread.
        Shape("operation-waits-for-another-of-its-queue") {
            let operations = OperationQueue()
            operations.maxConcurrentOperationCount = 4
            Kept.keep(operations)
            let other = BlockOperation { Thread.sleep(forTimeInterval: longTime) }
            operations.addOperation(other)
            operations.addOperation { other.waitUntilFinished() }
        },
        Shape("operation-adds-to-another-queue") {
            let (outer, inner) = (OperationQueue(), OperationQueue())
            for queue in [outer, inner] {
                queue.maxConcurrentOperationCount = 1
                Kept.keep(queue)
            }
            inner.addOperation { Thread.sleep(forTimeInterval: longTime) }
            outer.addOperation {
                inner.addOperations([NamedOperation("next")], waitUntilFinished: true)
            }
        },
        Shape("operation-queue-all-blocked") {
            let operations = OperationQueue()
            operations.maxConcurrentOperationCount = 3
            for _ in 0..<6 {
                operations.addOperation {
                    let answer = DispatchSemaphore(value: 0)
                    OperationShapes.waitForAnswerNobodyGives(answer)
                }
            }
        },
    ]
}

private enum OperationShapes {
    static func waitForCircleOfDependencies(_ operations: OperationQueue) {
        operations.waitUntilAllOperationsAreFinished()  // blocks: waitForCircleOfDependencies
    }

    static func waitForAllWithOneself(_ operations: OperationQueue) {
        operations.waitUntilAllOperationsAreFinished()  // blocks: waitForAllWithOneself
    }

    static func addAndWaitInOwnQueue(_ operations: OperationQueue) {
        let part = NamedOperation("part")
        operations.addOperations([part], waitUntilFinished: true)  // blocks: addAndWaitInOwnQueue
    }

    static func waitForOperationBehindOneself(_ operations: OperationQueue) {
        let inner = NamedOperation("inner")
        operations.addOperation(inner)
        inner.waitUntilFinished()  // blocks: waitForOperationBehindOneself
    }

    static func waitForAnswerNobodyGives(_ answer: DispatchSemaphore) {
        answer.wait()  // blocks: waitForAnswerNobodyGives
    }
}

private final class NamedOperation: Operation, @unchecked Sendable {  // has nothing of its own
    init(_ name: String) {
        super.init()
        self.name = name
    }
}

/// An operation with a `main` of its own.
private final class ImportOperation: Operation, @unchecked Sendable {  // never set again
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    override func main() { body() }
}
