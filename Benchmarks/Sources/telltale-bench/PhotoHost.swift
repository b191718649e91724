import Dispatch

/// The photo manager's shape, without its downloads: what the agent is to read and to change.
final class PhotoHost: @unchecked Sendable {  // `queue` guards every `var`
    /// As much of a photo as a wall shows.
    final class Photo {
        enum State { case ready, failed(String) }

        let id: Int
        var title: String
        var url: String
        var byteCount: Int
        var size: (width: Int, height: Int)
        var state: State

        init(id: Int) {
            self.id = id
            title = "Overly Attached Girlfriend \(id)"
            url = "http://127.0.0.1:8000/overly-attached-girlfriend-\(id).jpg"
            byteCount = 12_624 + id
            size = (640, 480)
            state = id % 10 == 9 ? .failed("the server says 404") : .ready
        }
    }

    var items: [Photo]
    var prompt: String?
    let queue = DispatchQueue(label: "com.telltale.photos", attributes: .concurrent)

    init(photos: Int) {
        items = (0..<photos).map(Photo.init)
    }
}
