import TelltaleSystem

/// This program once more, as a host with an agent: what clients are measured against.
final class HostProcess {
    static let name = "bench-host"

    /// The child; what can be read of it is its standard error, where the dumps go.
    let process: StartedProgram
    /// Its output until it was ready.
    private(set) var greeting = ""
    private let folder: TemporaryFolder

    /// Starts the host and waits until it is ready. The environment is set for it besides the
    /// socket's place.
    init(
        _ shape: HostShape, environment: [String: String] = [:], timeout: Duration = .seconds(30)
    ) throws {
        guard BuildMode.hasAgent else {
            throw BenchmarkFailure(
                "a release build has no agent; `make bench` builds with --traits AgentInRelease")
        }
        folder = try TemporaryFolder("telltale-bench")
        var environment = environment
        environment["TELLTALE_DIRECTORY"] = folder.path
        environment["TELLTALE_NAME"] = Self.name
        environment["TELLTALE_MODE"] = "read-write"
        process = try StartedProgram(
            try Self.ownExecutable(), [HostShape.option, "\(shape)"],
            environment: environment, capturing: .errors)
        greeting = try waitFor(Self.ready, within: timeout)
        guard greeting.contains(Self.ready) else {
            throw BenchmarkFailure("the host ended before it was ready; it said: \(greeting)")
        }
    }

    static let ready = "host is ready"

    /// The variables by which a client finds this host.
    var clientEnvironment: [String: String] { ["TELLTALE_DIRECTORY": folder.path] }

    func socket() throws -> String {
        let directory = SocketDirectory(path: folder.path)
        guard let name = directory.sockets().first(where: { $0.pid == process.pid }) else {
            throw BenchmarkFailure("the host has no socket in \(folder.path)")
        }
        return directory.path(of: name)
    }

    func path(of name: String) -> String { "\(folder.path)/\(name)" }

    /// Reads what the host says until a text is in it: all that was read, without the text when the
    /// host has closed the pipe.
    @discardableResult
    func waitFor(_ text: String, within limit: Duration) throws -> String {
        let deadline = MonotonicTime.now.advanced(by: limit)
        var said: [UInt8] = []
        while let more = process.read(until: deadline) {
            said += more
            let known = String(decoding: said, as: UTF8.self)
            if more.isEmpty || known.contains(text) { return known }
        }
        throw BenchmarkFailure("the host did not say '\(text)' within \(limit)")
    }

    static func ownExecutable() throws(SystemError) -> String {
        guard let path = ProcessFiles.own.executable else {
            throw SystemError("readlink(/proc/self/exe)")
        }
        return path
    }

    /// The path of a program that was built beside this one, whether it is there or not.
    static func neighbour(_ name: String) throws -> String {
        let own = try ownExecutable()
        guard let slash = own.lastIndex(of: "/") else { return name }
        return own[...slash] + name
    }
}
