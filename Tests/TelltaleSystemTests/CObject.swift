import TelltaleSystem
import TelltaleTestSupport

/// A source file of CTelltaleSystem and what was compiled of it.
struct CObject {
    /// Such as `signals/chain.c`.
    let source: String

    /// All of them. Objects of files that are gone may lie beside theirs, and are none.
    static func all() -> [CObject] {
        DirectoryListing.names(in: sources).sorted().flatMap { folder in
            DirectoryListing.names(in: "\(sources)/\(folder)").sorted()
                .filter { $0.hasSuffix(".c") }.map { CObject(source: "\(folder)/\($0)") }
        }
    }

    private static let sources =
        #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        + "/Sources/CTelltaleSystem"

    /// The lines of the source.
    var lines: [Substring] {
        SmallFile.text(of: "\(Self.sources)/\(source)", limit: 1 << 20)?
            .split(separator: "\n", omittingEmptySubsequences: false) ?? []
    }

    /// Returns the names that `nm` lists for it.
    func names(_ options: String) throws -> [String] {
        let host = try BuiltProgram.path(of: "telltale-test-host")
        let folder = host.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let program = try StartedProgram(
            "/bin/sh",
            ["-c", "nm \(options) '\(folder)/CTelltaleSystem.build/\(source).o'"])
        let bytes = program.readToEnd(until: .now.advanced(by: .seconds(20))) ?? []
        guard program.waitUntilExit() == 0 else { throw SystemError("nm", code: 2) }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
