import Dispatch
import Foundation
import Synchronization
import TelltaleParked

/// An event loop on `poll`, `select` or io_uring: a pipe by which others wake it, and a channel.
final class PollLoop: TestLoop, @unchecked Sendable {  // the pipe and the channel are made once
    enum Call { case poll, select, ring }
    let call: Call
    private var wake: [Int32] = [-1, -1]
    private var channel: [Int32] = [-1, -1]
    private let tasks = Mutex<[@Sendable () -> Void]>([])

    init(_ call: Call = .poll) {
        self.call = call
        pipe(&wake)
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &channel)
    }

    func openChannel() -> Int32 { channel[1] }

    func execute(_ task: @escaping @Sendable () -> Void) {
        tasks.withLock { $0.append(task) }
        var byte: UInt8 = 1
        write(wake[1], &byte, 1)
    }

    func executeSilently(_ task: @escaping @Sendable () -> Void) {
        tasks.withLock { $0.append(task) }
    }

    func run() {
        switch call {
        case .poll: turnByPoll()
        case .select: turnBySelect()
        case .ring: turnByRing()
        }
    }

    private func turnByPoll() {
        var polled = [wake[0], channel[0]].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while true {
            guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
            for entry in polled where entry.revents != 0 { take(entry.fd) }
            runTasks()
        }
    }

    private func turnBySelect() {
        let watched = [wake[0], channel[0]]
        while true {
            var set = DescriptorSet(watched)
            guard select((watched.max() ?? 0) + 1, &set.bits, nil, nil, nil) > 0 else { continue }
            for descriptor in watched where set.has(descriptor) { take(descriptor) }
            runTasks()
        }
    }

    private func turnByRing() {
        guard let ring = Ring() else { return }
        for descriptor in [wake[0], channel[0]] { ring.poll(descriptor) }
        while true {
            for descriptor in ring.wait() {
                take(descriptor)
                ring.poll(descriptor)
            }
            runTasks()
        }
    }

    private func take(_ descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 512)
        read(descriptor, &bytes, bytes.count)
    }

    private func runTasks() {
        let due = tasks.withLock { tasks in
            defer { tasks = [] }
            return tasks
        }
        for task in due { task() }
    }
}

/// `fd_set`, whose macros Swift doesn't have.
private struct DescriptorSet {
    var bits = fd_set()

    init(_ descriptors: [Int32]) {
        withUnsafeMutableBytes(of: &bits) { bytes in
            for descriptor in descriptors {
                bytes[Int(descriptor) / 8] |= 1 << UInt8(descriptor % 8)
            }
        }
    }

    mutating func has(_ descriptor: Int32) -> Bool {
        withUnsafeMutableBytes(of: &bits) {
            $0[Int(descriptor) / 8] & 1 << UInt8(descriptor % 8) != 0
        }
    }
}
