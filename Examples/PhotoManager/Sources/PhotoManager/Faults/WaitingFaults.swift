import Dispatch
import Foundation

extension Fault {
    /// Threads that wait for a signal that never comes.
    static let waitingFaults = [
        Fault(
            name: "group-never-left", summary: "a cancelled work item never leaves its group"
        ) { service in
            let (batch, downloads) = (DispatchGroup(), service.downloader.queue)
            DispatchQueue(label: "com.telltale.publishing").async {
                BatchDownload.startBatch(batch, on: downloads)
                BatchDownload.waitForBatch(batch)
            }
            return nil
        },
        Fault(
            name: "semaphore-never-signalled", summary: "uploads that failed keep their slots"
        ) { _ in
            let slots = DispatchSemaphore(value: 2)
            let uploads = DispatchQueue(label: "com.telltale.uploads", attributes: .concurrent)
            for number in 1...3 {
                uploads.async { UploadSlots.uploadPhoto(number, slots) }
            }
            return nil
        },
        // Each serial queue takes a thread, and Dispatch makes no more than 255 of them.
        Fault(
            name: "pool-exhausted", summary: "a queue for each face holds all threads of Dispatch"
        ) { _ in
            let model = DispatchSemaphore(value: 0)
            for number in 1...300 {
                DispatchQueue(label: "com.telltale.faces.\(number)").async {
                    FaceScan.waitForModel(model)
                }
            }
            return nil
        },
    ]
}

/// `group-never-left`: as the tutorials do it, but for the work item that is cancelled.
enum BatchDownload {
    static func startBatch(_ batch: DispatchGroup, on downloads: DispatchQueue) {
        let items = (1...3).map { number in
            batch.enter()
            return DispatchWorkItem {
                log("photo \(number) of the batch is there")
                batch.leave()
            }
        }
        items.last?.cancel()
        for item in items { downloads.async(execute: item) }
    }

    static func waitForBatch(_ batch: DispatchGroup) {
        batch.wait()
        log("the batch is published")
    }
}

/// `semaphore-never-signalled`.
enum UploadSlots {
    static func uploadPhoto(_ number: Int, _ slots: DispatchSemaphore) {
        takeSlot(slots)
        guard isReachable() else { return }  // without a signal
        slots.signal()
    }

    static func takeSlot(_ slots: DispatchSemaphore) {
        slots.wait()
    }

    private static func isReachable() -> Bool { false }
}

/// `pool-exhausted`: every scan waits on its thread for a model that doesn't come.
enum FaceScan {
    static func waitForModel(_ model: DispatchSemaphore) {
        model.wait()
    }
}
