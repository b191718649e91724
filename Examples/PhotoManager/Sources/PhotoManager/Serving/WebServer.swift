import Foundation

/// The handler of a ``WebServer``'s requests, on the server's own threads.
typealias WebRoutes = @Sendable (_ path: String) -> WebResponse

#if HAS_MICROHTTPD
import CMicroHTTPD

/// HTTP on 127.0.0.1, by libmicrohttpd and two threads of its own.
final class WebServer: @unchecked Sendable {  // all of it is set once; the daemon is C's
    /// Further clients wait in the listening socket's backlog.
    static let connectionLimit = 240

    let port: Int
    private let answers: WebAnswers
    private let daemon: OpaquePointer

    /// Begins to serve.
    ///
    /// - Parameters:
    ///   - port: 0 for any that is free.
    ///   - routes: What answers.
    /// - Throws: ``WebFailure``.
    init(port: Int, routes: @escaping WebRoutes) throws(WebFailure) {
        let listener = try LoopbackListener(port: port)
        answers = WebAnswers(routes)
        let context = Unmanaged.passUnretained(answers).toOpaque()
        guard
            let daemon = photo_daemon_start(
                listener.descriptor, 2, UInt32(WebServer.connectionLimit), 30, WebServer.respond,
                context)
        else {
            close(listener.descriptor)
            throw .noThreads
        }
        self.daemon = daemon
        self.port = listener.port
    }

    /// Ends when the last answer is sent; the listening socket is closed with it. It waits for its
    /// threads, so routes must not hold the server: its last owner could be one of them.
    deinit {
        MHD_stop_daemon(daemon)
    }

    /// The number of answered requests.
    var requestCount: Int { answers.count.value }

    /// libmicrohttpd calls it first when the head of a request is there, and again when all of it is.
    private static let respond: MHD_AccessHandlerCallback = {
        context, connection, url, method, _, _, uploadSize, state in
        guard let context, let connection, let url, let method, let state else { return photo_no }
        if state.pointee == nil {
            state.pointee = context
            return photo_yes
        }
        // A request's body is read and ignored.
        if let uploadSize, uploadSize.pointee > 0 {
            uploadSize.pointee = 0
            return photo_yes
        }
        let answers = Unmanaged<WebAnswers>.fromOpaque(context).takeUnretainedValue()
        return answers.respond(
            to: String(cString: url), method: String(cString: method), on: connection)
    }
}

/// The callbacks of libmicrohttpd's threads.
private final class WebAnswers: Sendable {
    let count = Counter()
    private let routes: WebRoutes

    init(_ routes: @escaping WebRoutes) {
        self.routes = routes
    }

    func respond(to path: String, method: String, on connection: OpaquePointer) -> MHD_Result {
        count.increment()
        guard method == "GET" || method == "HEAD" else {
            var refusal = WebResponse.text("the album is only read: GET, not \(method)\n")
            refusal.status = 405
            return send(refusal, on: connection)
        }
        return send(routes(path), on: connection)
    }

    private func send(_ answer: WebResponse, on connection: OpaquePointer) -> MHD_Result {
        let response = answer.body.withUnsafeBytes { bytes in
            photo_response(bytes.count, bytes.baseAddress)
        }
        guard let response else { return photo_no }
        defer { MHD_destroy_response(response) }
        MHD_add_response_header(response, "Content-Type", answer.type)
        MHD_add_response_header(
            response, "Cache-Control", answer.mayBeKept ? "max-age=3600" : "no-store")
        MHD_add_response_header(response, "X-Content-Type-Options", "nosniff")
        return MHD_queue_response(connection, UInt32(answer.status), response)
    }
}
#else
/// Without libmicrohttpd nothing is served, and it says so.
final class WebServer: Sendable {
    static let connectionLimit = 0

    let port: Int
    let requestCount = 0

    init(port: Int, routes: @escaping WebRoutes) throws(WebFailure) {
        self.port = port
        throw .notBuiltIn
    }
}
#endif
