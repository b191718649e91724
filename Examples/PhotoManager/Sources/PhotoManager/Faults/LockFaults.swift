import Dispatch
import Foundation
import Synchronization

extension Fault {
    /// Locks that are taken in two orders.
    static let lockFaults = [
        Fault(name: "nslock-ab-ba", summary: "two NSLocks are taken in two orders") { service in
            let (cache, index, both) = (service.cache, FaceIndex(), Rendezvous())
            DispatchQueue.global().async { index.addCachedThumbnails(of: cache, both) }
            DispatchQueue.global().async { index.dropThumbnails(from: cache, both) }
            return nil
        },
        Fault(
            name: "mutex-ab-ba", summary: "two Mutexes are taken in two orders, one by a queue"
        ) { _ in
            let (albums, both) = (AlbumBook(), Rendezvous())
            DispatchQueue.global().async { albums.renameAlbumOfCover(both) }
            DispatchQueue.global().async { albums.chooseCoverOfAlbum(both) }
            return nil
        },
        Fault(
            name: "queue-lock-queue",
            summary: "a queue waits for a lock, whose holder waits for the queue"
        ) { service in
            let (photos, cache, both) = (service.manager.queue, service.cache, Rendezvous())
            photos.async(flags: .barrier) { CacheTrimming.countThumbnailsOnQueue(cache, both) }
            DispatchQueue.global().async {
                CacheTrimming.trimCacheUnderLock(cache, photos, both)
            }
            return nil
        },
    ]
}

/// `nslock-ab-ba`: the faces that were found, under a lock of its own besides the cache's.
final class FaceIndex: @unchecked Sendable {  // `lock` guards `faces`
    private let lock = NSLock()
    private var faces: [String: Int] = [:]

    func addCachedThumbnails(of cache: ThumbnailCache, _ both: Rendezvous) {
        cache.withLock {
            both.meet()
            lock.withLock { faces["success-kid.jpg"] = 1 }
        }
    }

    func dropThumbnails(from cache: ThumbnailCache, _ both: Rendezvous) {
        lock.withLock {
            both.meet()
            cache.withLock { faces.removeAll() }
        }
    }
}

/// `mutex-ab-ba`: albums and their covers, each under a mutex.
///
/// If two threads take two of them in two orders, Linux sees it and Swift ends the process
/// ("Recursive call to lock Mutex"). It sees no further than the locks: here one of them is wanted
/// by a queue that its thread waits for.
final class AlbumBook: Sendable {
    private let titles = Mutex(["Googly Puff"])
    private let covers = Mutex(["success-kid.jpg"])
    private let reading = DispatchQueue(label: "com.telltale.covers")

    func renameAlbumOfCover(_ both: Rendezvous) {
        covers.withLock { covers in
            both.meet()
            titles.withLock { $0 = covers }
        }
    }

    func chooseCoverOfAlbum(_ both: Rendezvous) {
        titles.withLock { _ in
            both.meet()
            reading.async { self.readCovers() }
            reading.sync {}
        }
    }

    func readCovers() {
        covers.withLock { covers in log("covers: \(covers)") }
    }
}

/// `queue-lock-queue`.
enum CacheTrimming {
    static func countThumbnailsOnQueue(_ cache: ThumbnailCache, _ both: Rendezvous) {
        both.meet()
        cache.withLock {}
    }

    static func trimCacheUnderLock(
        _ cache: ThumbnailCache, _ photos: DispatchQueue, _ both: Rendezvous
    ) {
        cache.withLock {
            both.meet()
            photos.sync {}
        }
    }
}
