import Dispatch
import Foundation

extension PhotoManager {
    /// `items`: work items on a serial queue, each of which waits for its photo. Every other one of the second
    /// half is cancelled again: it stays in the queue until its turn comes, and then does nothing.
    func downloadItems(
        _ requests: [PhotoRequest], from source: any PhotoSource,
        _ completion: @escaping BatchCompletion
    ) {
        let batch = DownloadBatch()
        let downloads = requests.map { itemDownload($0, from: source, ended: batch.enter()) }
        for download in downloads { itemQueue.async(execute: download.item) }
        for (number, download) in downloads.enumerated()
        where number >= downloads.count / 2 && number % 2 == 1 {
            download.item.cancel()
        }
        batch.notifyMain(completion)
    }

    /// An item that downloads a photo when its turn has come; `ended` is told, once, whether it is there.
    private func itemDownload(
        _ request: PhotoRequest, from source: any PhotoSource,
        ended: @escaping @Sendable (_ isThere: Bool) -> Void
    ) -> WaitingDownload {
        let begun = Counter()
        let id = addWaiting(request)
        let item = DispatchWorkItem {
            begun.increment()
            let end = DispatchSemaphore(value: 0)
            self.fetch(id, request.url, from: source) { isThere in
                ended(isThere)
                end.signal()
            }
            // Every download has a time-out.
            end.wait()
        }
        // Without it a group would never be left by an item that was cancelled: that is the tutorials' mistake,
        // which the fault group-never-left makes.
        item.notify(queue: source.queue) {
            guard begun.value == 0 else { return }
            self.finish(id, with: .failure(.cancelled(request.url)))
            ended(false)
        }
        return WaitingDownload(item: item)
    }
}
