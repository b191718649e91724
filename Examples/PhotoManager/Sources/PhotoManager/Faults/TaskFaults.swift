import Synchronization

extension Fault {
    /// Tasks that are never resumed.
    static let taskFaults = [
        Fault(
            name: "actor-continuation", summary: "an actor awaits a callback that never comes"
        ) { _ in
            let detector = FaceDetector()
            for title in ["Success Kid", "Aunt Tilda"] {
                Task.detached(name: "faces of \(title)") {
                    let count = await detector.findFaces(in: title)
                    log("\(count) faces in \(title)")
                }
            }
            return nil
        },
        Fault(name: "tasks-await-each-other", summary: "two tasks await each other's value") { _ in
            let pair = AlbumAndCover()
            pair.start()
            return nil
        },
    ]
}

/// `actor-continuation`.
actor FaceDetector {
    private var callbacks: [CheckedContinuation<Int, Never>] = []

    func findFaces(in title: String) async -> Int {
        let count = await askService(about: title)
        return max(0, count)
    }

    /// The object that would call back isn't there.
    private func askService(about title: String) async -> Int {
        await withCheckedContinuation { callback in
            callbacks.append(callback)
        }
    }

}

/// `tasks-await-each-other`: the album wants its cover, which is chosen from the album.
final class AlbumAndCover: Sendable {
    private let album = Mutex<Task<Int, Never>?>(nil)
    private let cover = Mutex<Task<Int, Never>?>(nil)

    func start() {
        // Both are held until both have begun.
        album.withLock { album in
            cover.withLock { cover in
                album = Task.detached(name: "album") { await self.assembleAlbum() }
                cover = Task.detached(name: "cover") { await self.chooseCover() }
            }
        }
    }

    func assembleAlbum() async -> Int {
        let chosen = await cover.withLock { $0 }?.value ?? 0
        return chosen + 1
    }

    func chooseCover() async -> Int {
        let photos = await album.withLock { $0 }?.value ?? 0
        return photos / 2
    }
}
