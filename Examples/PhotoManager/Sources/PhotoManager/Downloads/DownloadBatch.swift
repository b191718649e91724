import Dispatch

/// Downloads that belong together: the tutorials' dispatch group, entered for each and left when it has ended,
/// and the number of those that failed.
struct DownloadBatch: Sendable {
    private let group = DispatchGroup()
    private let failures = Counter()

    /// Enters the group for one download.
    ///
    /// - Returns: What leaves it; called once, with whether the photo is there.
    func enter() -> @Sendable (_ isThere: Bool) -> Void {
        group.enter()
        return { [group, failures] isThere in
            if !isThere { failures.increment() }
            group.leave()
        }
    }

    /// Waits on this thread until all have ended; every download has a time-out.
    ///
    /// - Returns: How many failed.
    func wait() -> Int {
        group.wait()
        return failures.value
    }

    /// Has the main queue told when all have ended, and no thread waits for it.
    ///
    /// - Parameter completion: Called once.
    func notifyMain(_ completion: @escaping PhotoManager.BatchCompletion) {
        group.notify(queue: .main) { [failures] in
            MainActor.assumeIsolated { completion(failures.value) }
        }
    }
}
