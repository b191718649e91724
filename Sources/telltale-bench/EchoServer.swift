import TelltaleSystem

/// Sends back what it gets, in a folder of its own: the cheapest answer that a Unix socket can give.
final class EchoServer {
    let path: String
    private let folder: TemporaryFolder

    /// Starts it; it ends with the process.
    init() throws(BenchmarkFailure) {
        do throws(SystemError) {
            folder = try TemporaryFolder("telltale-bench")
            path = "\(folder.path)/echo.sock"
            try EchoLoop.start(at: path)
        } catch {
            throw BenchmarkFailure("\(error)")
        }
    }
}
