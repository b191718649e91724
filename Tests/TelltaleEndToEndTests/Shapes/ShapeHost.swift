import Foundation
import Synchronization
import TelltaleSystem
import TelltaleTestSupport

/// A host with one shape, and the answers of `stuck` about it.
final class ShapeHost {
    /// An event that did not happen.
    struct Failure: Error, CustomStringConvertible { let description: String }

    /// A facility that the machine lacks.
    struct NotHere: Error { let reason: String }

    // A pipe that is made while another thread starts a program is held open by it.
    private static let starting = Mutex(())

    let process: StartedProgram
    private let folder: TemporaryFolder
    private let environment: [String: String]

    /// Starts the host and waits until the shape is complete.
    ///
    /// - Parameters:
    ///   - name: The shape's.
    ///   - options: With `--agent-late` the agent is started when the shape has stood for two seconds.
    ///   - added: Further variables of its environment.
    /// - Throws: ``Failure``, or the error that keeps it from starting.
    init(_ name: String, options: [String] = [], environment added: [String: String] = [:]) throws {
        let folder = try TemporaryFolder("telltale-shape")
        self.folder = folder
        environment = ["TELLTALE_DIRECTORY": "\(folder.path)/agents", "NO_COLOR": "1"]
        let variables = environment.merging(added) { $1 }
        process = try Self.starting.withLock { _ in
            // The runtime's message on a lost continuation does not belong to a test's output.
            try StartedProgram(
                "/bin/sh",
                [
                    "-c", #"exec 2>"$1"; shift; exec "$@""#, "sh", "\(folder.path)/errors",
                    BuiltProgram.path(of: "telltale-test-host"), "--shape", name,
                ] + options, environment: variables)
        }
        var said = ""
        let deadline = MonotonicTime.now.advanced(by: .seconds(60))
        while !said.contains("\n") {
            guard let more = process.read(until: deadline), !more.isEmpty else {
                throw Failure(description: "\(name) did not stand but said '\(said)'")
            }
            said += String(decoding: more, as: UTF8.self)
        }
        if said.hasPrefix("NOT HERE ") {
            throw NotHere(reason: String(said.dropFirst(9)).trimmingCharacters(in: .newlines))
        }
        guard said.hasPrefix("READY") else { throw Failure(description: "\(name): \(said)") }
    }

    /// All shapes that the host has.
    static func names() throws -> [String] {
        let program = try StartedProgram(
            BuiltProgram.path(of: "telltale-test-host"), ["--shape", "list"])
        let bytes = program.readToEnd(until: .now.advanced(by: .seconds(60))) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The outcome of the client.
    struct Outcome: Sendable {
        var status: Int32
        var text: String
    }

    /// Runs the client with this host's directory: `["stuck"]` after the host's pid.
    ///
    /// - Parameters:
    ///   - options: What comes before the pid.
    ///   - command: What comes after it; without one the listing is asked for.
    /// - Returns: Its output, and its exit status.
    /// - Throws: ``Failure``, or the error that keeps it from starting.
    func telltale(_ options: [String] = [], _ command: [String]) throws -> Outcome {
        let target = command.isEmpty ? [] : ["\(process.pid)"]
        let variables = environment
        let arguments = options + target + command
        let client = try Self.starting.withLock { _ in
            try StartedProgram(
                BuiltProgram.path(of: "telltale"), arguments, environment: variables)
        }
        guard let bytes = client.readToEnd(until: .now.advanced(by: .seconds(90))) else {
            throw Failure(description: "\(arguments) did not end within 90 s")
        }
        return Outcome(
            status: client.waitUntilExit(), text: String(decoding: bytes, as: UTF8.self))
    }

    /// Asks `stuck`, and takes the time.
    ///
    /// - Parameter options: Of the command: `["--after", "1s"]`.
    /// - Returns: The answer.
    /// - Throws: ``Failure``, or the error that keeps the client from starting.
    func ask(_ options: [String] = []) throws -> ShapeAnswer {
        let began = MonotonicTime.now
        let outcome = try telltale(["--timeout", "30s", "--json"], ["stuck"] + options)
        return ShapeAnswer(outcome, seconds: MonotonicTime.now.since(began).seconds)
    }
}

extension Duration {
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
