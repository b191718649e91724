import Foundation

/// Says a line on standard error.
func log(_ message: String) {
    FileHandle.standardError.write(Data("photo-manager: \(message)\n".utf8))
}
