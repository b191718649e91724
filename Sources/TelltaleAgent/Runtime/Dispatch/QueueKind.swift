#if TELLTALE_AGENT
import Dispatch
import TelltalePicture
import TelltaleSystem

/// Which queue it is. On Linux Swift makes a new object around the same queue each time one is asked
/// for (`DispatchQueue.main` is never identical to itself), so the queue behind it is compared.
struct QueueIdentity: Hashable, Sendable {
    private let address: UInt

    init(of queue: DispatchQueue) {
        address = QueueKind.inner(queue) ?? UInt(bitPattern: ObjectIdentifier(queue).hashValue)
    }
}

/// Whether a queue runs its items one after another.
///
/// Dispatch has no public call for it. The width is read at the offset that libdispatch exports for
/// debuggers (`dispatch_queue_offsets`, version 6 in swift-6.3.1: width at 80, two bytes), after
/// the reading has been tried on two queues of our own; where that fails the kind is `unknown`.
extension QueueKind {
    init(of queue: DispatchQueue) {
        if QueueIdentity(of: queue) == QueueIdentity(of: .main) {
            self = .main
        } else if queue.label.hasPrefix("com.apple.root.") {
            self = .global
        } else if let layout = Self.layout, let width = layout.width(of: queue) {
            self = width == 1 ? .serial : .concurrent
        } else {
            self = .unknown
        }
    }

    /// Where the C queue lies behind Swift's object; nil where the layout is not known.
    static func inner(_ queue: DispatchQueue) -> UInt? {
        guard let layout else { return nil }
        let wrapper = UInt(bitPattern: Unmanaged.passUnretained(queue).toOpaque())
        return GuardedMemory.load(UInt.self, at: wrapper &+ UInt(layout.toQueue))
    }

    private struct Layout: Sendable {
        /// From the start of the Swift object to the pointer to the C queue.
        let toQueue: Int
        /// From the start of the C queue to its width.
        let toWidth: Int

        func width(of queue: DispatchQueue) -> UInt16? {
            let wrapper = UInt(bitPattern: Unmanaged.passUnretained(queue).toOpaque())
            guard
                let inner = GuardedMemory.load(UInt.self, at: wrapper &+ UInt(toQueue)),
                let width = GuardedMemory.load(UInt16.self, at: inner &+ UInt(toWidth))
            else { return nil }
            return width
        }
    }

    // Calibrated once: two queues in known states must read as what they are.
    private static let layout: Layout? = {
        #if os(Linux)
        let candidate = Layout(toQueue: 16, toWidth: 80)
        let serial = DispatchQueue(label: "telltale.calibration.serial")
        let concurrent = DispatchQueue(
            label: "telltale.calibration.concurrent", attributes: .concurrent)
        guard candidate.width(of: serial) == 1,
            let wide = candidate.width(of: concurrent), wide > 1
        else { return nil }
        return candidate
        #else
        // A queue is an Objective-C object on macOS, where none of this holds.
        return nil
        #endif
    }()
}
#endif
