import Dispatch
import Synchronization
import TelltaleProtocol
import TelltaleSystem

/// Clients that give a socket no rest: they connect and go, send what is no JSON, and ask for the
/// status, each on a connection of its own.
///
/// Every line is answered by one line, whether an agent or an echo is at the other end.
final class Attack: Sendable {
    enum Pace: String, CaseIterable {
        /// 400 connections a second, about what a client in a shell's endless loop makes.
        case steady
        /// As many as two threads can make.
        case flood
    }

    private static let malformed = Array(#"{"jsonrpc":"2.0","id":1,"method":"#.utf8) + [10]
    private static let status =
        LineConnection.request(
            "hello",
            #"{"protocolVersion":\#(ProtocolVersion.current),"client":"telltale-bench"}"#)
        + LineConnection.request("status", "{}")

    private let path: String
    private let isOver = Atomic<Bool>(false)
    private let made = Atomic<Int>(0)
    private let failure = Locked<(any Error)?>(nil)
    private let ended = DispatchGroup()

    /// Begins, and comes back when the first connections have been made.
    init(on path: String, pace: Pace) throws {
        self.path = path
        for _ in 0..<2 {
            ended.enter()
            try NativeThread.start(name: "bench-attack") { [self] in
                run(pause: pace == .steady ? 5_000 : 0)
                ended.leave()
            }
        }
        while made.load(ordering: .relaxed) < 20, !isOver.load(ordering: .relaxed) {
            _ = PollSet.wait(for: [], milliseconds: 1)
        }
    }

    /// Ends it; how many connections were made.
    func end() throws -> Int {
        isOver.store(true, ordering: .relaxed)
        ended.wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
        return made.load(ordering: .relaxed)
    }

    private func run(pause microseconds: Int) {
        var number = 0
        while !isOver.load(ordering: .relaxed) {
            do {
                let connection = try LineExchange(to: path)
                switch number % 3 {
                case 0: break
                case 1: try connection.ask(Self.malformed)
                default: try connection.ask(Self.status, lines: 2)
                }
            } catch {
                failure.withLock { $0 = error }
                isOver.store(true, ordering: .relaxed)
            }
            number += 1
            made.add(1, ordering: .relaxed)
            if microseconds > 0 {
                _ = PollSet.wait(for: [], milliseconds: Int32(microseconds / 1000))
            }
        }
    }
}
