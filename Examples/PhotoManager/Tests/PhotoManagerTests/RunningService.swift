import Foundation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The built service with the photos of this folder, or others, and the built client of the agent.
final class RunningService {
    /// The event that did not happen.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The outcome of a command.
    struct Outcome {
        var status: Int32
        var text: String
        var lines: [Substring] { text.split(separator: "\n") }
        /// The text with one space between columns.
        var columnless: String { text.replacing(#/ +/#, with: " ") }
    }

    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    static let program = package.appendingPathComponent(".build/debug/photo-manager")
    private static let client = package.appendingPathComponent("../../.build/release/telltale")
        .standardizedFileURL

    /// Indicates that both are built: `make test` builds the client first.
    static var canRun: Bool {
        [program, client].allSatisfy { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    private static let unblocking = """
        import os, signal, sys
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        os.execv(sys.argv[1], sys.argv[1:])
        """

    let process = Process()
    private let said = GrowingText()
    private let folder: URL

    /// Starts the service.
    ///
    /// - Parameters:
    ///   - options: Of its command line, besides the photos.
    ///   - photos: A folder or a URL; nil for none.
    ///   - ready: What it says when it can be used.
    /// - Throws: ``Failure`` when it does not come that far.
    init(
        _ options: [String] = [], photos: String? = photoFolder.path,
        ready: String = " photos downloaded"
    ) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("photos-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // Foundation gives a child the signal mask of the thread that starts it, and threads of Dispatch block
        // every signal.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["python3", "-c", Self.unblocking, Self.program.path]
            + (photos.map { ["--photos", $0] } ?? []) + options
        process.environment = environment
        let pipe = Pipe()
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        pipe.fileHandleForReading.readabilityHandler = { [said] handle in
            let data = handle.availableData
            guard !data.isEmpty else {
                handle.readabilityHandler = nil
                return
            }
            said.append(String(decoding: data, as: UTF8.self))
        }
        try process.run()
        try wait(for: ready)
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    private var environment: [String: String] {
        ProcessInfo.processInfo.environment.merging([
            "TELLTALE_DIRECTORY": folder.path, "TELLTALE_OWNER_DEADLINE": "3000", "NO_COLOR": "1",
        ]) { $1 }
    }

    /// Its whole output.
    var log: String { said.value }

    /// Waits until its output has the text, 60 s at most.
    func wait(for text: String) throws {
        try wait("it said '\(text)' in: \(log)") { log.contains(text) }
    }

    /// Waits until something is so, 60 s at most.
    func wait(_ what: @autoclosure () throws -> String, until isSo: () throws -> Bool) throws {
        let end = Date(timeIntervalSinceNow: 60)
        while try !isSo() {
            guard Date() < end, process.isRunning else {
                throw Failure(description: "not within 60 s: \(try what())")
            }
            Thread.sleep(forTimeInterval: 0.02)
        }
    }

    /// Runs the client.
    ///
    /// - Parameters:
    ///   - arguments: Behind the target.
    ///   - input: Its standard input, for a session.
    /// - Returns: What it printed.
    /// - Throws: What keeps it from being started.
    @discardableResult
    func telltale(_ arguments: String..., input: String? = nil) throws -> Outcome {
        try run(arguments, input: input)
    }

    /// The same for arguments that were put together.
    func run(_ arguments: [String], input: String? = nil) throws -> Outcome {
        let client = Process()
        client.executableURL = Self.client
        client.arguments = ["--timeout", "30s", "\(process.processIdentifier)"] + arguments
        client.environment = environment
        let file = folder.appendingPathComponent("input")
        try Data((input ?? "").utf8).write(to: file)
        client.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        client.standardOutput = output
        client.standardError = output
        try client.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        client.waitUntilExit()
        return Outcome(
            status: client.terminationStatus, text: String(decoding: text, as: UTF8.self))
    }

    /// Types lines into a session.
    func session(_ lines: String...) throws -> Outcome {
        try telltale("-", input: lines.joined(separator: "\n") + "\n")
    }

    /// The address of the album.
    var address: URL {
        get throws {
            let words = log.split(whereSeparator: \.isWhitespace)
            let word = try #require(words.last { $0.hasPrefix("http://127.0.0.1:") }, "\(log)")
            return try #require(URL(string: String(word)))
        }
    }

    /// Asks the service's web server.
    ///
    /// - Returns: nil if no answer came within a time.
    func get(_ path: String, within seconds: Double = 20) throws -> Data? {
        let url = try address.appendingPathComponent(path)
        let done = DispatchSemaphore(value: 0)
        let body = Mutex<Data?>(nil)
        let session = URLSession(configuration: .ephemeral)
        let task = session.dataTask(with: URLRequest(url: url, timeoutInterval: seconds)) {
            data, response, _ in
            if (response as? HTTPURLResponse)?.statusCode == 200 { body.withLock { $0 = data } }
            done.signal()
        }
        task.resume()
        if done.wait(timeout: .now() + seconds + 1) == .timedOut { task.cancel() }
        return body.withLock { $0 }
    }
}

/// A text that arrives bit by bit.
private final class GrowingText: Sendable {
    private let text = Mutex("")

    var value: String { text.withLock { $0 } }

    func append(_ more: String) { text.withLock { $0 += more } }
}
