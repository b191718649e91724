import TelltaleAgent

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The agent, as the harness needs it.
enum Introspection {
    /// Starts the agent and shows it the manager.
    ///
    /// - Parameters:
    ///   - manager: What is shown.
    ///   - settings: Where the harness looks for what.
    static func start(_ manager: PhotoManager, _ settings: Settings) {
        // What product.json's environment doesn't say, by which the client finds the socket too.
        var configuration = AgentConfiguration()
        // The harness sends signal after signal. It is to time the dumps, not the rest between them.
        configuration.dumpInterval = .zero
        // It has sixteen sessions at once. Of the usual sixteen places one is kept for a newcomer: a
        // sixteenth session would cost the one that has been idle longest its place.
        configuration.maximumConnections = 32
        let status = Telltale.start(configuration)
        Telltale.register(manager, as: "pm", on: manager.queue)
        // The agent names its socket by the process that it belongs to, so that a client knows a dead
        // one's without asking: only the folder can be chosen. The harness has a path of its own for
        // every host, and its client follows a link. Ours does not, and finds the host by its pid.
        guard let socket = status.socketPath, symlink(socket, settings.socket) == 0 else {
            Control.complain("no socket: \(status.problems.joined(separator: "; "))")
            exit(1)
        }
    }
}
