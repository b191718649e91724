import Foundation
import TelltaleSystem

extension TestHost {
    /// The outcome of a command.
    package struct Outcome: Sendable {
        package var status: Int32
        package var output: String
        package var errors: String
    }

    /// Runs the built `telltale` with arguments, knowing this host's directory and no other.
    package func telltale(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> Outcome {
        try shell(
            #"exec "$TELLTALE_CLIENT" "$@""#, arguments: arguments, environment: environment)
    }

    /// Sends SIGUSR1 until the first dump is whole, to a host whose own source hears it as well.
    ///
    /// Dispatch adds the agent's source on a thread of its own; until then only the host's hears.
    ///
    /// - Returns: How often the host has heard it.
    /// - Throws: ``Overdue`` where no signal gives one, ``Failure`` where the host doesn't hear two of them.
    @discardableResult
    package func signalUntilDumped() throws -> Int {
        var (heard, lost) = (0, 0)
        try waitUntil("a signal gives a dump") {
            if try telltale(["\(pid)", "dump", "d1"]).output.contains(" END ") { return true }
            send(SIGUSR1)
            let deadline = MonotonicTime.now.advanced(by: .seconds(5))
            while try perform("earlier") != "\(heard + 1)" {
                if .now > deadline { break }
                usleep(2_000)
            }
            if try perform("earlier") == "\(heard + 1)" {
                heard += 1
            } else {
                lost += 1
            }
            // Dispatch's own sources, without other handlers, lose up to 2 of 100 signals on a
            // machine that stalls (10,000 signals, 0.2 to 1 ms apart).
            guard lost < 2 else {
                throw Failure(description: "the host heard \(heard) of \(heard + lost) signals")
            }
            return false
        }
        return heard
    }

    /// Runs a line of a shell in which `$TELLTALE_CLIENT` is the client and `$PID` this host.
    package func shell(
        _ line: String, arguments: [String] = [], environment: [String: String] = [:]
    ) throws -> Outcome {
        let folder = try TemporaryFolder("telltale-outcome")
        var variables = environment
        variables["TELLTALE_DIRECTORY"] = environment["TELLTALE_DIRECTORY"] ?? directory
        variables["TELLTALE_CLIENT"] = try BuiltProgram.path(of: "telltale")
        variables["PID"] = "\(pid)"
        variables["NO_COLOR"] = "1"
        variables["ERRORS"] = "\(folder.path)/errors"
        let program = try StartedProgram(
            "/bin/sh", ["-c", #"exec 2>"$ERRORS"; "# + line, "sh"] + arguments,
            environment: variables)
        guard let bytes = program.readToEnd(until: .now.advanced(by: .seconds(180))) else {
            throw Failure(description: "'\(line)' with \(arguments) did not end within 180 s")
        }
        return Outcome(
            status: program.waitUntilExit(), output: String(decoding: bytes, as: UTF8.self),
            errors: SmallFile.text(of: "\(folder.path)/errors") ?? "")
    }
}
