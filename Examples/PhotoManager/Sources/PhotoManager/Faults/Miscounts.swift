import Dispatch
import Foundation
import Synchronization

/// `leave-without-enter`: four downloads are under way, and the group counts three.
enum DoubleLeave {
    static func downloadPhoto(_ number: Int, _ batch: DispatchGroup, _ end: Counter) {
        waitForBytes(end)
        batch.leave()
    }

    private static func waitForBytes(_ end: Counter) {
        while end.value == 0 { Thread.sleep(forTimeInterval: 0.02) }
    }
}

/// `semaphore-freed-in-use`: Dispatch ends a process that frees a semaphore of which a slot is taken.
final class Uploader: Sendable {
    /// A number by which it is found among others.
    private let slots = DispatchSemaphore(value: 7)

    func begin() { slots.wait() }

    func end() { slots.signal() }
}

/// The only owner of the uploader.
final class UploaderOwner: Sendable {
    private let uploader = Mutex<Uploader?>(Uploader())

    func beginUpload() { uploader.withLock { $0?.begin() } }

    func endUpload() { uploader.withLock { $0?.end() } }

    func forget() { uploader.withLock { $0 = nil } }
}

/// `timer-retain-cycle`: the cell has the timer, the timer its handler, and the handler the cell.
final class RepaintingCell: @unchecked Sendable {  // only its queue changes it
    /// A reference that does not keep the cell alive.
    struct Weak: @unchecked Sendable {  // set once
        private(set) weak var cell: RepaintingCell?
    }

    private let queue = DispatchQueue(label: "com.telltale.cell")
    private let timer: any DispatchSourceTimer
    private var repaints = 0

    private init() {
        timer = DispatchSource.makeTimerSource(queue: queue)
    }

    /// A cell comes on the screen, and goes.
    static func show() -> Weak {
        let cell = RepaintingCell()
        cell.start()
        return Weak(cell: cell)
    }

    private func start() {
        // [weak self] is missing here.
        timer.setEventHandler { self.repaints += 1 }
        timer.schedule(deadline: .now(), repeating: .milliseconds(200))
        timer.activate()
    }

    /// A caller that has forgotten the cell can't call this.
    func stop() {
        timer.setEventHandler(handler: nil)
        timer.cancel()
    }
}

extension Counter {
    /// Counts one after some seconds, unless the other one was counted on by then.
    func increment(after seconds: Double, unless other: Counter) {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
            if other.value == 0 { self.increment() }
        }
    }
}
