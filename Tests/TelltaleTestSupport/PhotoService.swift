package import TelltaleSystem

/// The example service with real photos: a web server on loopback, and the photo manager that has
/// downloaded all of them. Both end with this object, and their folder goes.
package final class PhotoService {
    /// An event that did not happen.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// A token that must be in no output.
    package static let token = "open-sesame-4711"

    /// The photo manager; its standard error can be read with ``waitFor(_:)``.
    package let process: StartedProgram
    private let server: StartedProgram
    private let folder: TemporaryFolder
    /// The port on which it serves its album, with `--port`.
    package private(set) var port: Int?

    /// Starts both and waits until the photos are there.
    ///
    /// - Parameters:
    ///   - photos: How many photos.
    ///   - environment: Set for the service besides the socket's place and the token.
    ///   - fault: One of the faults that `photo-manager --fault list` names; it is staged on return.
    ///   - options: More options of the service; with `--load` it is at work on return.
    /// - Throws: ``Failure``, or the error that keeps a program from starting.
    package init(
        photos: Int = 12, environment: [String: String] = [:], fault: String? = nil,
        options: [String] = []
    ) throws {
        folder = try TemporaryFolder("telltale-test")
        let manager = try BuiltProgram.photoPath(of: "photo-manager")
        let samples = try StartedProgram(
            try BuiltProgram.photoPath(of: "photo-samples"), ["\(folder.path)/photos", "\(photos)"])
        let deadline = MonotonicTime.now.advanced(by: .seconds(60))
        guard samples.readToEnd(until: deadline) != nil, samples.waitUntilExit() == 0 else {
            throw Failure(description: "photo-samples made no photos in \(folder.path)")
        }
        server = try StartedProgram(
            "/bin/sh",
            [
                "-c", "exec python3 -u -m http.server 0 --bind 127.0.0.1 -d \"$0\" 2>/dev/null",
                "\(folder.path)/photos",
            ])
        let greeting = try Self.read(server, until: "http://", deadline)
        guard let link = greeting.split(separator: "(").last?.split(separator: ")").first else {
            throw Failure(description: "the web server said no address but '\(greeting)'")
        }
        address = String(link)
        var environment = environment
        environment["TELLTALE_DIRECTORY"] = "\(folder.path)/agents"
        environment["PHOTO_API_TOKEN"] = Self.token
        environment["TELLTALE_START_LINE"] = "0"
        environment["TELLTALE_OWNER_DEADLINE"] =
            environment["TELLTALE_OWNER_DEADLINE"] ?? TestHost.ownerDeadline
        process = try StartedProgram(
            manager,
            ["--photos", address, "--prompt-after", "0.05"]
                + (fault.map { ["--fault", $0] } ?? []) + options,
            environment: environment, capturing: .errors)
        // The last line of the start: text that was read together with it is not waited for again.
        let ready = options.contains("--load") ? "full load" : " photos downloaded, 0 failed"
        let said = try waitFor(fault.map { "fault \($0) is staged" } ?? ready)
        port = said.firstMatch(of: /served at http:\/\/127\.0\.0\.1:(\d+)\//).flatMap { Int($0.1) }
    }

    /// Returns whether it was built with the parts that serve its album.
    package static func serves() throws -> Bool {
        let manager = try BuiltProgram.photoPath(of: "photo-manager")
        let libraries = try StartedProgram("/usr/bin/ldd", [manager])
        let names = libraries.readToEnd(until: .now.advanced(by: .seconds(20))) ?? []
        return String(decoding: names, as: UTF8.self).contains("libmicrohttpd")
    }

    /// The folder that its socket lies in.
    package var directory: String { "\(folder.path)/agents" }

    /// The address of the listing that the service was given, with a slash at its end.
    package let address: String

    /// The outcome of a command.
    package struct Outcome {
        /// Its exit status.
        package var status: Int32
        /// Standard output and standard error.
        package var text: String
        /// Its lines; empty ones are left out.
        package var lines: [String] { text.split(separator: "\n").map(String.init) }
    }

    /// Runs a line in a shell that knows this service and no other, and the built `telltale`.
    ///
    /// - Parameters:
    ///   - line: The line, such as `telltale photo-manager objects`.
    ///   - environment: More variables for it.
    /// - Returns: What came of it.
    /// - Throws: ``Failure`` when it did not end within 120 s.
    package func shell(_ line: String, environment: [String: String] = [:]) throws -> Outcome {
        var environment = environment
        environment["TELLTALE_DIRECTORY"] = "\(folder.path)/agents"
        environment["TELLTALE_CLIENT"] = try BuiltProgram.path(of: "telltale")
        environment["NO_COLOR"] = "1"
        let shell = try StartedProgram(
            "/bin/sh", ["-c", #"exec 2>&1; telltale() { "$TELLTALE_CLIENT" "$@"; }; "# + line],
            environment: environment)
        guard let bytes = shell.readToEnd(until: .now.advanced(by: .seconds(120))) else {
            throw Failure(description: "'\(line)' did not end within 120 s")
        }
        return Outcome(
            status: shell.waitUntilExit(), text: String(decoding: bytes, as: UTF8.self))
    }

    /// Waits until the service has written a text to its standard error.
    ///
    /// - Parameter text: The awaited text; output before an earlier match does not count.
    /// - Returns: Its output since the last call, up to the end of the match's chunk.
    /// - Throws: ``Failure`` when it ends, or after 60 s.
    @discardableResult
    package func waitFor(_ text: String) throws -> String {
        try Self.read(process, until: text, .now.advanced(by: .seconds(60)))
    }

    private static func read(
        _ process: StartedProgram, until text: String, _ deadline: MonotonicTime
    ) throws -> String {
        var said: [UInt8] = []
        while let more = process.read(until: deadline), !more.isEmpty {
            said += more
            let known = String(decoding: said, as: UTF8.self)
            if known.contains(text) { return known }
        }
        throw Failure(
            description:
                "process \(process.pid) did not say '\(text)', but: "
                + String(decoding: said, as: UTF8.self))
    }
}
