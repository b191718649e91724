import Dispatch
import Foundation

extension Fault {
    /// Queues that wait for each other, or for a signal that never comes.
    static let queueFaults = [
        Fault(name: "ab-ba-sync", summary: "two queues sync onto each other") { service in
            let (photos, downloads) = (service.manager.queue, service.downloader.queue)
            let both = Rendezvous()
            DispatchQueue.global().async {
                AlbumExport.exportPhotosThenStampDownloads(photos, downloads, both)
            }
            DispatchQueue.global().async {
                AlbumExport.stampDownloadsThenExportPhotos(photos, downloads, both)
            }
            return nil
        },
        // Dispatch ends the process for a serial queue that syncs onto itself, also through a target;
        // it doesn't see a reader of a concurrent queue that asks for a barrier.
        Fault(name: "sync-on-self", summary: "a reader syncs a barrier onto its own queue") {
            service in
            let queue = service.manager.queue
            DispatchQueue.global().async { AlbumExport.renamePhotosWhileReading(queue) }
            return nil
        },
        Fault(name: "main-waits", summary: "main waits for a queue that waits for main") { _ in
            DispatchQueue.main.async { WallLayout.waitForLayout() }
            return nil
        },
        Fault(
            name: "barrier-behind-reader", summary: "a barrier waits behind a reader that hangs"
        ) { service in
            let (queue, disk, met) = (service.manager.queue, Pipe(), Rendezvous())
            DispatchQueue.global().async { PhotoBackup.readPhotosOntoStalledDisk(queue, disk, met) }
            DispatchQueue.global().async { PhotoBackup.renamePhotosBehindBarrier(queue, met) }
            return { try? disk.fileHandleForWriting.write(contentsOf: Data([0])) }
        },
        Fault(name: "suspended-queue", summary: "nobody resumes the downloads") { service in
            let queue = service.downloader.queue
            DownloadPause.pauseDownloads(queue)
            DownloadPause.retryDownloads(queue)
            return { queue.resume() }
        },
    ]
}

/// `ab-ba-sync`, `sync-on-self`: each takes one queue and then wants another.
enum AlbumExport {
    static func exportPhotosThenStampDownloads(
        _ photos: DispatchQueue, _ downloads: DispatchQueue, _ both: Rendezvous
    ) {
        photos.sync(flags: .barrier) {
            both.meet()
            downloads.sync(flags: .barrier) {}
        }
    }

    static func stampDownloadsThenExportPhotos(
        _ photos: DispatchQueue, _ downloads: DispatchQueue, _ both: Rendezvous
    ) {
        downloads.sync(flags: .barrier) {
            both.meet()
            photos.sync(flags: .barrier) {}
        }
    }

    static func renamePhotosWhileReading(_ photos: DispatchQueue) {
        photos.sync {
            photos.sync(flags: .barrier) {}
        }
    }
}

/// `main-waits`: titles are measured on the main queue, which waits for the layout.
enum WallLayout {
    static let queue = DispatchQueue(label: "com.telltale.layout")

    static func waitForLayout() {
        let both = Rendezvous()
        queue.async { measureTitlesOnMain(both) }
        both.meet()
        queue.sync {}
    }

    static func measureTitlesOnMain(_ both: Rendezvous) {
        both.meet()
        DispatchQueue.main.sync {}
    }
}

/// `barrier-behind-reader`: photos are written to a disk that takes nothing any more.
enum PhotoBackup {
    static func readPhotosOntoStalledDisk(
        _ photos: DispatchQueue, _ disk: Pipe, _ both: Rendezvous
    ) {
        photos.sync {
            both.meet()
            _ = disk.fileHandleForReading.readData(ofLength: 1)
        }
    }

    static func renamePhotosBehindBarrier(_ photos: DispatchQueue, _ both: Rendezvous) {
        // The reader comes first.
        both.meet()
        photos.sync(flags: .barrier) {}
    }
}

/// `suspended-queue`.
enum DownloadPause {
    static func pauseDownloads(_ downloads: DispatchQueue) {
        downloads.suspend()
    }

    static func retryDownloads(_ downloads: DispatchQueue) {
        for number in 1...3 {
            downloads.async { log("photo \(number) is tried again") }
        }
    }
}
