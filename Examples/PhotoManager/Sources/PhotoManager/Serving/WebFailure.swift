/// The reason that the album is not served.
enum WebFailure: Error, Equatable, CustomStringConvertible {
    case notBuiltIn
    case portInUse(Int)
    case noSocket(port: Int, reason: String)
    case noThreads

    var description: String {
        switch self {
        case .notBuiltIn:
            "this photo-manager was built without libmicrohttpd, so that it can't serve: install "
                + "libmicrohttpd-dev and build it again"
        case .portInUse(let port):
            "port \(port) of 127.0.0.1 is in use; give another one with --port, or 0 for any"
        case .noSocket(let port, let reason):
            "can't listen on port \(port) of 127.0.0.1: \(reason)"
        case .noThreads:
            "libmicrohttpd can't start its threads"
        }
    }
}
