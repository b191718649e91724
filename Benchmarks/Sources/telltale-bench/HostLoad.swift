import Dispatch
import Glibc
import Synchronization
import TelltaleAgent

/// One of many small objects.
final class HostObject {
    var number: Int
    var next: HostObject?

    init(_ number: Int) { self.number = number }
}

/// One with twelve fields, as a service's models have.
final class WideObject {
    var id: Int
    var title: String
    var url: String
    var byteCount: Int
    var width = 640
    var height = 480
    var rating = 4.5
    var isNew = true
    var album: String? = "2026"
    var tags = ["cat", "wall"]
    var error: String?
    var attempts: UInt8 = 1

    init(_ number: Int) {
        id = number
        title = "Overly Attached Girlfriend \(number)"
        url = "http://127.0.0.1:8000/overly-attached-girlfriend-\(number).jpg"
        byteCount = 12_624 + number
    }
}

/// Lists that are read, and never changed.
final class HostLists {
    let objects: [HostObject]
    let wide: [WideObject]

    init(_ shape: HostShape) {
        objects = (0..<shape.objects).map { HostObject($0) }
        wide = (0..<shape.wide).map { WideObject($0) }
    }
}

/// The load of a host, all of it waiting.
final class HostLoad {
    private var queues: [DispatchQueue] = []
    private var heap: [[UInt64]] = []
    let lists: HostLists
    private let suspended = DispatchQueue(label: "com.telltale.suspended")
    private let timer = DispatchSource.makeTimerSource()

    init(_ shape: HostShape) {
        lists = HostLists(shape)
        queues = (0..<shape.queues).map { number in
            DispatchQueue(
                label: "com.telltale.queue-\(number)",
                attributes: number.isMultiple(of: 2) ? [] : .concurrent)
        }
        for queue in queues { queue.async {} }
        // Pieces that the allocator takes from its heap, not from the kernel one by one.
        heap = (0..<(shape.heap * 16)).map { number in
            [UInt64](repeating: UInt64(number), count: 8_000)
        }
        if shape.items > 0 {
            suspended.suspend()
            for number in 0..<shape.items { suspended.async { HostLoad.keep(number) } }
        }
        let waits = shape.isLost ? nil : HostWaits()
        if let waits {
            timer.schedule(deadline: .now() + 3600)
            timer.setEventHandler { waits.endAll() }
            timer.resume()
        }
        for number in 0..<shape.parked {
            HostThread.start(stackBytes: 128 << 10) { HostLoad.parkOuter(number, waits) }
        }
        LargeLibrary.park(shape.large)
        for number in 0..<shape.spinning {
            HostThread.start(stackBytes: 256 << 10) { HostLoad.spinOuter(number) }
        }
        for _ in 0..<shape.polling {
            HostThread.start(stackBytes: 128 << 10) {
                while true {
                    if poll(nil, 0, -1) < 0 { HostLoad.ended.wrappingAdd(1, ordering: .relaxed) }
                }
            }
        }
        if shape.polling > 0 {
            Telltale.register(HostShape.ended) { HostLoad.ended.load(ordering: .relaxed) }
        }
        for number in 0..<shape.tasks {
            Task(name: "task-\(number)") { await HostLoad.waitForEver(waits) }
        }
    }

    /// Submits items to a serial queue, of which a thousand at most wait at a time, and waits for
    /// the last; how long all of them took.
    static func submit(_ count: Int) -> Duration {
        let queue = DispatchQueue(label: "com.telltale.hot")
        return timed {
            for number in 1...max(1, count) {
                queue.async { HostLoad.keep(1) }
                if number.isMultiple(of: 1_000) { queue.sync {} }
            }
            queue.sync {}
        }
    }

    private static let kept = Atomic<Int>(0)
    private static let ended = Atomic<Int>(0)

    private static func keep(_ number: Int) { kept.wrappingAdd(number, ordering: .relaxed) }

    private static func waitForEver(_ waits: HostWaits?) async {
        await withUnsafeContinuation { waits?.add($0) }
    }

    // The statement after a call keeps it from being a tail call: a frame each.

    @inline(never) private static func parkOuter(_ number: Int, _ waits: HostWaits?) {
        parkMiddle(number + 1, waits)
        keep(number)
    }

    @inline(never) private static func parkMiddle(_ number: Int, _ waits: HostWaits?) {
        parkInner(number + 1, waits)
        keep(number)
    }

    @inline(never) private static func parkInner(_ number: Int, _ waits: HostWaits?) {
        let semaphore = DispatchSemaphore(value: 0)
        waits?.add(semaphore)
        semaphore.wait()
        keep(number)
    }

    @inline(never) private static func spinOuter(_ number: Int) {
        spinInner(number + 1)
        keep(number)
    }

    @inline(never) private static func spinInner(_ number: Int) {
        var value = UInt64(truncatingIfNeeded: number)
        while true {
            value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // A loop that does nothing at all would be left out.
            if value >> 44 == 0 { keep(1) }
        }
    }
}
