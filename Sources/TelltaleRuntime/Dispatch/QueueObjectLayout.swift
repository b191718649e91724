#if TELLTALE_AGENT
import CTelltaleSystem
package import Dispatch
package import TelltalePicture
import TelltaleSystem

/// The identity of a queue. On Linux, Swift creates a new object around the same queue for each request
/// (`DispatchQueue.main` is never identical to itself), so the underlying C queues are compared.
package struct QueueIdentity: Hashable, Sendable {
    package let address: UInt

    package init(of queue: DispatchQueue) {
        address = QueueKind.inner(queue) ?? UInt(bitPattern: ObjectIdentifier(queue).hashValue)
    }
}

/// Determines if a queue is serial or concurrent. Dispatch has no public function for it.
extension QueueKind {
    package init(of queue: DispatchQueue) {
        if QueueIdentity(of: queue) == QueueIdentity(of: .main) {
            self = .main
        } else if queue.label.hasPrefix("com.apple.root.") {
            self = .global
        } else {
            self =
                switch QueueObjectLayout.calibration.immediate.width(of: queue) {
                case nil: .unknown
                case 1: .serial
                default: .concurrent
                }
        }
    }

    /// The address of the C queue that a Swift object wraps; nil if the layout is unknown.
    package static func inner(_ queue: DispatchQueue) -> UInt? {
        QueueObjectLayout.calibration.immediate.inner(queue)
    }
}

/// The layout of the object in which Swift wraps a queue on Linux (`DispatchQueue` of swift-6.3.1).
///
/// It is needed to register an object, on a thread of the host. Its self-test creates two queues and reads
/// them.
package struct QueueObjectLayout: CalibratedLayout {
    package enum Part: String, CaseIterable, Sendable {
        case queues = "queues behind Swift's objects"
        case widths = "serial and concurrent queues"
    }

    package static let subject = "Swift's queue objects"
    package static var calibration: Calibration<Self> { RuntimeCaches.current.layouts.queueObjects }

    package var failures: [Part: LayoutFailure] = [:]
    /// The offset in the Swift object of the pointer to the C queue.
    var queue: UInt = 16

    package init() {}

    func inner(_ queue: DispatchQueue) -> UInt? {
        guard has(.queues) else { return nil }
        // The caller's own object, whose first field this is. So no guarded read is needed; one took a
        // third of the time of a registration.
        let object = Unmanaged.passUnretained(queue).toOpaque()
        return object.load(fromByteOffset: Int(self.queue), as: UInt.self)
    }

    func width(of queue: DispatchQueue) -> Int? {
        guard has(.widths), let inner = inner(queue) else { return nil }
        return DispatchLayout().queue(at: inner).map { Int($0.width) }
    }

    package mutating func selfTest() {
        let serial = DispatchQueue(label: "telltale.layout.serial")
        let wide = DispatchQueue(label: "telltale.layout.concurrent", attributes: .concurrent)
        for queue in [serial, wide] {
            guard let inner = inner(queue), let words = DispatchLayout().queue(at: inner),
                DispatchText.string(at: words.label, limit: 64) == queue.label
            else {
                return fail(
                    .queues, .widths, reason: "the queue behind an object of our own was not found")
            }
        }
        expect(
            width(of: serial) == 1 && (width(of: wide) ?? 0) > 1, .widths,
            "the widths of queues of our own were not read back")
    }
}
#endif
