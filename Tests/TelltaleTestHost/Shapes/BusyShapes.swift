import Dispatch
import Foundation

extension Shape {
    /// Threads that have much to do, or poll now and then.
    static let busyOnes = [
        Shape("eight-busy-threads") { for _ in 0..<8 { onThread { BusyShapes.spin() } } },
        Shape("spinning-item-with-others-in-line") {
            let line = DispatchQueue(label: "shape.line")
            onQueue(line) { BusyShapes.spin() }
            standInLine(line)
        },
        Shape("poll-loop-idle") {
            let socket = Loopback.datagramSocket()
            onThread {
                var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
                var byte: UInt8 = 0
                while poll(&watched, 1, -1) > 0 { _ = recv(socket, &byte, 1, 0) }
            }
        },
        Shape("poll-loop-with-timeout") {
            let socket = Loopback.datagramSocket()
            onThread {
                var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
                while poll(&watched, 1, 5) >= 0 {}
            }
        },
    ]
}

private enum BusyShapes {
    static func spin() { while getppid() != 0 {} }
}
