import Dispatch

/// A download that can still be cancelled.
struct WaitingDownload: @unchecked Sendable {  // an item may be cancelled from any thread
    let item: DispatchWorkItem
}
