#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What the harness says in the environment.
struct Settings {
    /// Whether the agent is to be started.
    let hasAgent: Bool
    /// Where the harness looks for the agent's socket.
    let socket: String
    /// How many photos there are.
    let photos: Int
    /// How many threads there are, the agent's not counted.
    let threads: Int

    init() {
        hasAgent = Self.text("PEER_AGENT") == "on"
        socket = Self.text("PEER_SOCK") ?? "s"
        photos = Self.number("PEER_N") ?? 10_000
        threads = Self.number("PEER_THREADS") ?? 50
    }

    private static func text(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private static func number(_ name: String) -> Int? { text(name).flatMap { Int($0) } }
}
