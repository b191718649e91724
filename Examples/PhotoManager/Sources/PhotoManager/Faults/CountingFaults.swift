import Dispatch
import Foundation

extension Fault {
    /// Counts that don't come out even. The first two end the process a minute later, inside Dispatch, unless
    /// they are cleared before.
    static let countingFaults = [
        Fault(
            name: "leave-without-enter", summary: "a retried download leaves its group twice"
        ) { _ in
            let (batch, end) = (DispatchGroup(), Counter())
            for number in 1...4 {
                batch.enter()
                Thread.detachNewThread { DoubleLeave.downloadPhoto(number, batch, end) }
            }
            // The retry's.
            batch.leave()
            let isCleared = Counter()
            end.increment(after: Fault.reprieve, unless: isCleared)
            return {
                // The group was left once too often, so it is entered once more.
                isCleared.increment()
                batch.enter()
                end.increment()
            }
        },
        Fault(
            name: "semaphore-freed-in-use",
            summary: "an uploader goes with an upload that has its slot"
        ) { _ in
            let uploader = UploaderOwner()
            uploader.beginUpload()
            let isCleared = Counter()
            DispatchQueue.global().asyncAfter(deadline: .now() + Fault.reprieve) {
                if isCleared.value == 0 { uploader.forget() }
            }
            return {
                isCleared.increment()
                uploader.endUpload()
                uploader.forget()
            }
        },
        Fault(
            name: "timer-retain-cycle", summary: "a view is gone, and its timer keeps it"
        ) { _ in
            let leaks = (0..<3).map { _ in RepaintingCell.show() }
            return { for leak in leaks { leak.cell?.stop() } }
        },
    ]

    /// The seconds left to examine a fault that will end the process.
    static let reprieve = 60.0
}
