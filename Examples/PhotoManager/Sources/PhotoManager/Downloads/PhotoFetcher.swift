import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Gets a file over HTTP, and tries again where that may help.
final class PhotoFetcher: Sendable {
    /// The timeout, and the number of tries.
    struct Patience: Sendable, Equatable {
        /// Seconds before a try is given up.
        var timeout = 30.0
        /// Tries after the first one.
        var retries = 2
        /// Seconds before the second try; twice as many before each further one.
        var pause = 0.2
    }

    let patience: Patience
    private let session: URLSession
    /// The queue of all callbacks.
    let queue: DispatchQueue

    /// - Parameters:
    ///   - patience: How long a try may take, and how many there are.
    ///   - queue: Where everything is called.
    init(patience: Patience, queue: DispatchQueue) {
        self.patience = patience
        self.queue = queue
        session = URLSession(configuration: .ephemeral)
    }

    /// Gets a file.
    ///
    /// - Parameters:
    ///   - url: Where it is.
    ///   - token: Sent as the bearer's token; empty for none.
    ///   - trouble: Called for each try that failed and is made again.
    ///   - completion: Called once.
    func fetch(
        _ url: URL, token: String, trouble: @escaping @Sendable (PhotoFailure) -> Void = { _ in },
        completion: @escaping @Sendable (Result<Data, PhotoFailure>) -> Void
    ) {
        guard !url.isFileURL else {
            queue.async { completion(Self.contents(of: url)) }
            return
        }
        let request = Self.request(url, token: token, timeout: patience.timeout)
        attempt(request, retries: patience.retries, pause: patience.pause, trouble, completion)
    }

    /// Gets a file, in a task.
    ///
    /// - Parameters:
    ///   - url: Where it is.
    ///   - token: Sent as the bearer's token.
    /// - Returns: Its bytes.
    /// - Throws: ``PhotoFailure`` when the server can't be reached or doesn't have it.
    func file(at url: URL, token: String) async throws(PhotoFailure) -> Data {
        let result = await withCheckedContinuation { continuation in
            fetch(url, token: token) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    private func attempt(
        _ request: URLRequest, retries: Int, pause: Double,
        _ trouble: @escaping @Sendable (PhotoFailure) -> Void,
        _ completion: @escaping @Sendable (Result<Data, PhotoFailure>) -> Void
    ) {
        guard let url = request.url else { return }
        // URLSession's own time-out on Linux let a server take 1.6 s of 1 s: a timer ends the try.
        let timer = TryTimer(DispatchSource.makeTimerSource(queue: queue))
        let isOver = Counter()
        let task = session.dataTask(with: request) { data, response, error in
            timer.source.cancel()
            let result = Result { () throws(PhotoFailure) in
                if isOver.value > 0 { throw .timedOut(url) }
                return try Self.body(of: url, data, response, error)
            }
            self.queue.async {
                guard case .failure(let failure) = result, failure.mayPass, retries > 0 else {
                    completion(result)
                    return
                }
                trouble(failure)
                self.queue.asyncAfter(deadline: .now() + pause) {
                    self.attempt(
                        request, retries: retries - 1, pause: pause * 2, trouble, completion)
                }
            }
        }
        timer.source.setEventHandler {
            isOver.increment()
            task.cancel()
        }
        timer.source.schedule(deadline: .now() + patience.timeout)
        timer.source.activate()
        task.resume()
    }

    private static func contents(of file: URL) -> Result<Data, PhotoFailure> {
        do {
            return .success(try Data(contentsOf: file))
        } catch {
            return .failure(.unreadable(file, reason: error.localizedDescription))
        }
    }

    private static func request(_ url: URL, token: String, timeout: Double) -> URLRequest {
        var request = URLRequest(url: url, timeoutInterval: timeout)
        if !token.isEmpty {
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        }
        return request
    }

    /// The body of a response, if the server sent the requested file.
    private static func body(
        of url: URL, _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
    ) throws(PhotoFailure) -> Data {
        if let error {
            if (error as? URLError)?.code == .timedOut { throw .timedOut(url) }
            throw .unreachable(url, reason: error.localizedDescription)
        }
        if let http = response as? HTTPURLResponse, http.statusCode != 200 {
            throw .status(url, http.statusCode)
        }
        return data ?? Data()
    }
}

/// Ends a try.
private struct TryTimer: @unchecked Sendable {  // a source may be cancelled from any thread
    let source: any DispatchSourceTimer

    init(_ source: any DispatchSourceTimer) {
        self.source = source
    }
}
