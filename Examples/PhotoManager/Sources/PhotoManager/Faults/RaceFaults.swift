import Dispatch
import Foundation
import Synchronization

extension Fault {
    /// The tutorials' races. Each single access is safe, so the service survives; a sequence of two
    /// of them is not.
    static let raceFaults = [
        Fault(
            name: "singleton-race", summary: "two threads make the singleton at the same time"
        ) { _ in
            let (both, owners) = (Rendezvous(), RacyOwners())
            for _ in 0..<2 {
                DispatchQueue.global().async { owners.add(RacyManager.shared(both)) }
            }
            return {
                owners.removeAll()
                RacyManager.forget()
            }
        },
        Fault(
            name: "reader-writer-race", summary: "two writers each put back what they have read"
        ) { _ in
            let rounds = (0..<50).map { _ in Rendezvous() }
            for writer in 0..<2 {
                DispatchQueue.global().async {
                    for (number, both) in rounds.enumerated() {
                        RacyAlbum.shared.add("photo \(number) of writer \(writer)", both)
                    }
                }
            }
            return { RacyAlbum.shared.removeAll() }
        },
    ]
}

/// `singleton-race`: made when it is first asked for, as it was before `once`.
final class RacyManager: Sendable {
    private static let instance = Mutex<RacyManager?>(nil)

    /// The manager. Between the question whether there is one and its making another thread asks too.
    static func shared(_ both: Rendezvous) -> RacyManager {
        if let made = instance.withLock({ $0 }) { return made }
        both.meet()
        let made = RacyManager()
        instance.withLock { $0 = made }
        return made
    }

    static func forget() { instance.withLock { $0 = nil } }
}

/// The owners of the managers.
final class RacyOwners: Sendable {
    private let managers = Mutex<[RacyManager]>([])

    func add(_ manager: RacyManager) { managers.withLock { $0.append(manager) } }

    func removeAll() { managers.withLock { $0 = [] } }
}

/// `reader-writer-race`: the photo array without a barrier. Half of the added photos are lost.
final class RacyAlbum: Sendable {
    static let shared = RacyAlbum()

    private let photos = Mutex<[String]>([])
    private let added = Mutex(0)

    func add(_ title: String, _ both: Rendezvous) {
        let read = photos.withLock { $0 }
        both.meet()
        photos.withLock { $0 = read + [title] }
        added.withLock { $0 += 1 }
    }

    func removeAll() {
        photos.withLock { $0 = [] }
        added.withLock { $0 = 0 }
    }
}
