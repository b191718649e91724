import TelltaleSystem

/// The paths of the programs that the end-to-end tests run.
package enum BuiltProgram {
    /// A missing program, and the command that makes it.
    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    /// Indicates that the test host is not the one that was built with the tests, but for example a
    /// sanitizer's.
    package static var isOtherHost: Bool {
        ProcessIdentity.environment("TELLTALE_TEST_HOST").map(isFile) ?? false
    }

    /// A program of the main package, in the folder of the tests themselves: it was built with them.
    ///
    /// `TELLTALE_TEST_HOST` names another host, such as one that a sanitizer watches.
    ///
    /// - Parameter name: Its name: `telltale`, `minimal`.
    /// - Returns: Its path.
    /// - Throws: ``Missing``.
    package static func path(of name: String) throws -> String {
        if name == "telltale-test-host",
            let other = ProcessIdentity.environment("TELLTALE_TEST_HOST"), isFile(other)
        {
            return other
        }
        let own = ProcessFiles.own.executable ?? ""
        let folder = own.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let debug = "\(RepositoryFile.root)/.build/debug"
        for folder in [folder, debug] where isFile("\(folder)/\(name)") {
            return "\(folder)/\(name)"
        }
        throw Missing(description: "\(folder)/\(name) is not built; `swift build` builds it")
    }

    /// A program of the photo manager's package.
    ///
    /// - Parameter name: `photo-manager` or `photo-samples`.
    /// - Returns: Its path.
    /// - Throws: ``Missing``.
    package static func photoPath(of name: String) throws -> String {
        let path = "\(RepositoryFile.root)/Examples/PhotoManager/.build/debug/\(name)"
        guard isFile(path) else {
            throw Missing(description: "\(path) is not built; `make photos` builds it")
        }
        return path
    }

    private static func isFile(_ path: String) -> Bool {
        SmallFile.bytes(of: path, limit: 1) != nil
    }
}
