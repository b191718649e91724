import Dispatch

/// What is queried, changed and dumped.
final class PhotoManager: @unchecked Sendable {  // `queue` guards every `var`
    var prompt = "Say cheese"
    var photos: [Photo]
    /// Each has an item that does not end and sixteen behind it, see ``Crowd``.
    let queues: [DispatchQueue]
    /// Whoever reads or changes a `var` does it here, the agent too.
    let queue = DispatchQueue(label: "com.example.photos")

    init(photos count: Int) {
        photos = (0..<count).map(Photo.init)
        queues = (0..<8).map { DispatchQueue(label: "com.example.resize-\($0)") }
    }
}
