import Foundation
import Synchronization

/// The location of one thread or task: filled on its way down, read by the thread that started it.
public final class Spot: Sendable {
    /// A function and the line of the call that it is in.
    struct Call: Sendable {
        var function: String
        var line: Int
    }

    private let calls = Mutex<[Call]>([])
    private let thread = Atomic<Int32>(0)
    let number: Int
    let holder: Holder

    init(_ number: Int, _ holder: Holder) {
        self.number = number
        self.holder = holder
    }

    /// To be written in a call's arguments: both defaults are those of the line of the call.
    func calling(_ function: String = #function, _ line: Int = #line) -> Spot {
        let name = String(function.prefix { $0 != "(" })
        calls.withLock { $0.append(Call(function: name, line: line)) }
        return self
    }

    /// As ``calling(_:_:)``, for the last call, which does not come back.
    @discardableResult
    func blocking(_ function: String = #function, _ line: Int = #line) -> Spot {
        _ = calling(function, line)
        thread.store(systemThread(), ordering: .releasing)
        return self
    }

    /// The kernel's id of the thread that came to the end of its chain; 0 before.
    var arrived: Int32 { thread.load(ordering: .acquiring) }

    /// Innermost first: `parkReadInner:20,parkReadMiddle:15,parkReadOuter:10`.
    var chain: String {
        calls.withLock { $0.reversed().map { "\($0.function):\($0.line)" } }.joined(separator: ",")
    }

    /// Waits until it has arrived and its thread is in a call, at most 20 s.
    ///
    /// - Parameter inCall: Whether the thread is to be asleep.
    /// - Returns: False if it isn't there by then.
    func wait(inCall: Bool) -> Bool {
        for _ in 0..<20_000 {
            let id = arrived
            if id != 0, !inCall || Self.sleeps(id) { return true }
            usleep(1000)
        }
        return false
    }

    private static func sleeps(_ id: Int32) -> Bool {
        let file = open("/proc/self/task/\(id)/stat", O_RDONLY)
        guard file >= 0 else { return false }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(file, &bytes, bytes.count)
        // The state follows the name, which is in parentheses.
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        return text.split(separator: ")").last?.hasPrefix(" S") ?? false
    }
}

@_silgen_name("gettid") private func systemThread() -> Int32
