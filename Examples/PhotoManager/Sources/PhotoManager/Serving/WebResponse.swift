import Foundation

/// A response of the web server.
struct WebResponse: Sendable, Equatable {
    var status = 200
    var type: String
    var body: Data
    /// Indicates that a browser may keep it: pictures stay as they are, the album does not.
    var mayBeKept = false

    static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> WebResponse {
        WebResponse(type: type, body: Data(text.utf8))
    }

    static func missing(_ what: String) -> WebResponse {
        WebResponse(
            status: 404, type: "text/plain; charset=utf-8", body: Data("no \(what) here\n".utf8))
    }
}
