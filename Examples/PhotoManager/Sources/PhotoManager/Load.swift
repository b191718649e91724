import Dispatch
import Foundation
import Synchronization

/// Keeps every part of the service at work, for as long as it runs, and each only for a short time:
/// the picture of a host that is busy and healthy.
final class Load: Sendable {
    private let downloader: PhotoDownloader
    private let manager: PhotoManager
    private let cache: ThumbnailCache
    private let sources: [URL]
    private let uploads = DispatchQueue(label: "com.telltale.uploads", attributes: .concurrent)
    private let publishing = DispatchQueue(label: "com.telltale.publishing")
    private let slots = DispatchSemaphore(value: 2)
    private let covers = Mutex(0)
    private let rounds = Counter()

    @MainActor
    init(of service: Service, photos: [URL]) {
        downloader = service.downloader
        manager = service.manager
        cache = service.cache
        sources = photos
    }

    /// Begins; nothing ends it.
    ///
    /// - Parameter times: How often over.
    func begin(times: Int) {
        for number in 0..<(4 * times) {
            Task.detached(name: "load \(number)") { await self.refreshCovers(number % 4) }
        }
        for _ in 0..<(2 * times) { Thread.detachNewThread { self.downloadBatches() } }
        Thread.detachNewThread { self.renamePhotos() }
        publishAgain()
        log("full load")
    }

    /// Batches of downloads, each with its group, thumbnails and all, one after the other.
    private func downloadBatches() {
        while true {
            let batch = DispatchGroup()
            for url in sources.shuffled().prefix(4) {
                batch.enter()
                downloader.download(url, token: "") { _ in batch.leave() }
            }
            if rounds.value % 10 == 0 { downloader.cancelWaiting() }
            batch.wait()
            rounds.increment()
            Thread.sleep(forTimeInterval: 0.02)
        }
    }

    /// Barriers among readers.
    private func renamePhotos() {
        while true {
            manager.queue.sync(flags: .barrier) {}
            for _ in 0..<8 { uploads.async { self.upload() } }
            _ = manager.read { photos in photos.map(\.title) }
            Thread.sleep(forTimeInterval: 0.01)
        }
    }

    /// Two at a time.
    private func upload() {
        slots.wait()
        Thread.sleep(forTimeInterval: 0.002)
        slots.signal()
    }

    /// A serial queue that puts its own next item in the future.
    private func publishAgain() {
        publishing.asyncAfter(deadline: .now() + 0.05) {
            self.manager.queue.sync { self.cache.withLock {} }
            DispatchQueue.main.async { self.covers.withLock { $0 += 1 } }
            self.publishAgain()
        }
    }

    /// Tasks, their children, and an actor.
    private func refreshCovers(_ number: Int) async {
        let counter = CoverCounter()
        while true {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try? await Task.sleep(for: .milliseconds(number + 1))
                        await counter.count()
                    }
                }
            }
            await MainActor.run { covers.withLock { $0 += 1 } }
        }
    }
}

/// The counter of a load's tasks.
private actor CoverCounter {
    var covers = 0

    func count() { covers += 1 }
}
