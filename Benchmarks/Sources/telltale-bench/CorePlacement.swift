import Glibc
import TelltaleSystem

/// The placement of processes on processor cores.
///
/// The scheduler chooses the cores of a conversation's two sides, and on a virtual machine waking
/// an idle core costs more than the request itself: a figure of one side is comparable only on one
/// core.
enum CorePlacement {
    /// Keeps this process and others on one core while `body` runs: the last that this one may use.
    ///
    /// - Throws: What `body` throws, or that `taskset` of util-linux can't do it.
    static func onOneCore<Result>(
        _ others: [Int32], _ body: () throws -> Result
    ) throws -> Result {
        // "pid 12's current affinity list: 0,2-5"
        let said = try taskset(["-cp", "\(getpid())"])
        guard let before = said.split(separator: " ").last,
            let core = before.split(whereSeparator: { ",-".contains($0) }).last
        else { throw BenchmarkFailure("taskset names no cores: '\(said)'") }
        func place(on cores: Substring) throws {
            for process in others + [getpid()] {
                _ = try taskset(["-acp", "\(cores)", "\(process)"])
            }
        }
        defer { try? place(on: before) }
        try place(on: core)
        return try body()
    }

    private static func taskset(_ arguments: [String]) throws -> String {
        let process = try StartedProgram("/usr/bin/taskset", arguments)
        let bytes = process.readToEnd(until: .now.advanced(by: .seconds(10))) ?? []
        guard process.waitUntilExit() == 0 else {
            throw BenchmarkFailure(
                "taskset \(arguments.joined(separator: " ")) failed: this one is measured on one core"
            )
        }
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }
}
