import Dispatch
import Foundation

extension PhotoManager {
    /// Called on the main queue, with the number of photos that failed.
    typealias BatchCompletion = @MainActor @Sendable (_ failures: Int) -> Void

    /// Adds photos and downloads them.
    ///
    /// - Parameters:
    ///   - requests: What to download.
    ///   - source: Gets, checks and shrinks a photo.
    ///   - way: How.
    ///   - completion: Called once. But for ``DownloadWay/early`` no photo of them is under way then.
    func download(
        _ requests: [PhotoRequest], from source: any PhotoSource, by way: DownloadWay,
        completion: @escaping BatchCompletion
    ) {
        switch way {
        case .early: downloadAndSayAtOnce(requests, from: source, completion)
        case .wait: downloadAndWait(requests, from: source, completion)
        case .notify, .operations: downloadAndBeNotified(requests, from: source, completion)
        case .perform: downloadConcurrently(requests, from: source, completion)
        case .items: downloadItems(requests, from: source, completion)
        case .tasks: downloadInTasks(requests, from: source, completion)
        }
    }

    /// `early`: it doesn't wait for the downloads. The completion comes when no photo is there yet,
    /// and their failures are lost.
    private func downloadAndSayAtOnce(
        _ requests: [PhotoRequest], from source: any PhotoSource,
        _ completion: @escaping BatchCompletion
    ) {
        for request in requests { download(request, from: source) { _ in } }
        DispatchQueue.main.async { completion(0) }
    }

    /// `wait`: a group, for which a thread of a background queue waits.
    private func downloadAndWait(
        _ requests: [PhotoRequest], from source: any PhotoSource,
        _ completion: @escaping BatchCompletion
    ) {
        DispatchQueue.global(qos: .userInitiated).async {
            let batch = DownloadBatch()
            for request in requests {
                self.download(request, from: source, ended: batch.enter())
            }
            let failures = batch.wait()
            DispatchQueue.main.async { completion(failures) }
        }
    }

    /// `notify`: a group again, and no thread that waits.
    private func downloadAndBeNotified(
        _ requests: [PhotoRequest], from source: any PhotoSource,
        _ completion: @escaping BatchCompletion
    ) {
        let batch = DownloadBatch()
        for request in requests { download(request, from: source, ended: batch.enter()) }
        batch.notifyMain(completion)
    }

    /// `perform`: the loop itself runs on as many threads as there are processors. It is slower than the plain
    /// loop for so little work, as the tutorial says.
    private func downloadConcurrently(
        _ requests: [PhotoRequest], from source: any PhotoSource,
        _ completion: @escaping BatchCompletion
    ) {
        // concurrentPerform returns when all have begun, which is not a wait for the main queue.
        DispatchQueue.global(qos: .utility).async {
            let batch = DownloadBatch()
            DispatchQueue.concurrentPerform(iterations: requests.count) { number in
                self.download(requests[number], from: source, ended: batch.enter())
            }
            batch.notifyMain(completion)
        }
    }

    /// `tasks`: a task group, which can't be left before its last child task.
    private func downloadInTasks(
        _ requests: [PhotoRequest], from source: any PhotoSource,
        _ completion: @escaping BatchCompletion
    ) {
        Task.detached(name: "download \(requests.count) photos") {
            let failures = await withTaskGroup(of: Bool.self) { group in
                for request in requests {
                    group.addTask(name: "download \(request.url.lastPathComponent)") {
                        await withCheckedContinuation { continuation in
                            self.download(request, from: source) { isThere in
                                continuation.resume(returning: isThere)
                            }
                        }
                    }
                }
                return await group.reduce(0) { $1 ? $0 : $0 + 1 }
            }
            await completion(failures)
        }
    }
}
