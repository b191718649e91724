import TelltaleSystem

extension TestHost {
    /// What a command gave.
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
