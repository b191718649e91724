import TelltaleSystem

/// Files of the repository that tests read: the documents whose facts are the code's.
package enum RepositoryFile {
    /// A file that is not there.
    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    /// The top of the repository.
    package static var root: String {
        // Tests/TelltaleTestSupport/RepositoryFile.swift
        #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    }

    /// The page of the wire's format.
    package static let grammarPage =
        "Sources/TelltaleProtocol/TelltaleProtocol.docc/Wire.md"

    /// The text of a file.
    ///
    /// - Parameter path: Its path from the top of the repository: `README.md`.
    /// - Returns: The text.
    /// - Throws: ``Missing``.
    package static func text(_ path: String) throws -> String {
        guard let text = SmallFile.text(of: "\(root)/\(path)", limit: 1 << 20) else {
            throw Missing(description: "\(root)/\(path) can't be read")
        }
        return text
    }
}
