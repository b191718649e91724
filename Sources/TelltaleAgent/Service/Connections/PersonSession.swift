#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// A person at the other end, who came with `nc -U` or `socat`: command lines in, text out.
final class PersonSession: Session {
    private let connection: Connection

    init(connection: Connection) { self.connection = connection }

    func answer(_ line: [UInt8]) -> Bool {
        do throws(CommandFailure) {
            guard let text = String(validating: line, as: UTF8.self) else {
                throw CommandFailure(
                    .usage, "the line is not UTF-8", hint: "`help` lists commands")
            }
            guard let request = try CommandLineParser.parse(text) else { return true }
            if request.command.description.endsSession { return false }
            let context = CommandContext(
                connection, deadline: connection.agent.configuration.commandDeadline)
            let answer = try CommandRunner.run(request.method, request.parameters, in: context)
            return connection.send(answer.rendered(TextStyle()) + "\n")
        } catch {
            return connection.send(error.rendered(TextStyle()) + "\n")
        }
    }

    func refuse(_ failure: CommandFailure) {
        _ = connection.send(failure.rendered(TextStyle()) + "\n")
    }
}
#endif
