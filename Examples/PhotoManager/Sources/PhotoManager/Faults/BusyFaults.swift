import Dispatch
import Foundation

extension Fault {
    /// Faults that take processors, or the one that matters, from threads that need them.
    static let busyFaults = [
        Fault(name: "spin-wait", summary: "a thread asks again and again, and burns a core") { _ in
            let isThere = Counter()
            Thread.detachNewThread { SpinWait.waitForPhoto(isThere) }
            return { isThere.increment() }
        },
        Fault(
            name: "main-queue-starvation", summary: "the main queue resizes photos all day"
        ) { _ in
            let end = Counter()
            DispatchQueue.main.async { MainResizing.resizeAllPhotosOnMain(end) }
            return { end.increment() }
        },
        Fault(
            name: "priority-inversion",
            summary: "what a user waits for waits for a lock of the background"
        ) { _ in
            let end = Counter()
            let ranking = FaceRanking()
            DispatchQueue(label: "com.telltale.ranking", qos: .background).async {
                ranking.rankAllFaces(end)
            }
            DispatchQueue(label: "com.telltale.touches", qos: .userInteractive).async {
                ranking.showTouchedFace()
            }
            return { end.increment() }
        },
    ]
}

/// `spin-wait`: a loop where a semaphore should be.
enum SpinWait {
    static func waitForPhoto(_ isThere: Counter) {
        while isThere.value == 0 {}
        log("the photo is there")
    }
}

/// `main-queue-starvation`: on the queue that has all else to do.
enum MainResizing {
    static func resizeAllPhotosOnMain(_ end: Counter) {
        while end.value == 0 { resizeOnePhoto() }
        log("all photos are resized")
    }

    private static func resizeOnePhoto() {
        var sum = 0.0
        for pixel in 0..<200_000 { sum += Double(pixel).squareRoot() }
        // A little is left to others of this machine.
        if sum > 0 { Thread.sleep(forTimeInterval: 0.002) }
    }
}

/// `priority-inversion`: the background has what the user's touch needs, and all the time in the world.
final class FaceRanking: @unchecked Sendable {  // `lock` guards `best`
    private let lock = NSLock()
    private var best = "nobody"

    func rankAllFaces(_ end: Counter) {
        lock.withLock {
            while end.value == 0 { rankOneFace() }
            best = "success-kid.jpg"
        }
    }

    func showTouchedFace() {
        // The background's work comes first.
        Thread.sleep(forTimeInterval: 0.1)
        lock.withLock { log("the face that was touched: \(best)") }
    }

    private func rankOneFace() { Thread.sleep(forTimeInterval: 0.01) }
}
