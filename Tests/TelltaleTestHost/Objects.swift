import Dispatch
import Foundation
import Synchronization

/// Guarded by the stage's concurrent queue.
final class PhotoLibrary: @unchecked Sendable {
    var items: [Photo] = [
        Photo(title: "Overly Attached Girlfriend", size: 1200),
        Photo(title: "Success Kid", size: 3400),
        Photo(title: "Lotsa \"Faces\"\n", size: 5600),
    ]
    var prompt: String?
    var apiToken = "PLANTED-SECRET-7f3a"
    var settings = Settings()
    var ratings: [String: Int] = ["a b": 3]
    private var hidden = 7

    func remove(_ index: Int) throws -> String {
        guard items.indices.contains(index) else { throw StageError.asked }
        hidden += 1
        return items.remove(at: index).title
    }
}

/// Guarded by its library's owner.
final class Photo {
    var title: String
    var size: Int
    var state = PhotoState.downloading(progress: 0.5)
    weak var next: Photo?

    init(title: String, size: Int) {
        self.title = title
        self.size = size
    }
}

enum PhotoState { case idle, downloading(progress: Double), failed(String) }

struct Settings {
    var quality = 80
    var folder = URL(fileURLWithPath: "/tmp/photos")
    var password = "PLANTED-SECRET-91bc"
}

actor Store {
    private var balance = 10
    private(set) var names = ["x", "y"]

    func hang(_ begun: DispatchSemaphore) {
        begun.signal()
        sleep(3600)
    }

    func refresh(_ count: Int) -> Int {
        balance += count
        return balance
    }
}

final class Cache: Sendable {
    let lock = Mutex(0)
    nonisolated(unsafe) var values = ["k": 1]
}

final class View {
    var title = "main"
}

final class Plain: @unchecked Sendable {
    let limit = 12
    var names = ["p", "q"]
}
