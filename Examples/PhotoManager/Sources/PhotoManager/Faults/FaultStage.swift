import Foundation
import Synchronization

/// The staged faults, and their undoing.
final class FaultStage: Sendable {
    /// A fault that stays.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A fault that was staged and not yet cleared.
    private struct Staged {
        var name: String
        var clearing: Fault.Clearing?
    }

    private let staged = Mutex<[Staged]>([])

    /// Stages a fault, and says so a moment later, when it is complete.
    @MainActor
    func stage(_ fault: Fault, in service: Service) {
        // A thread of its own: some faults leave neither the main queue nor any other.
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.3)
            log("fault \(fault.name) is staged: \(fault.summary)")
        }
        let clearing = fault.stage(service)
        staged.withLock { $0.append(Staged(name: fault.name, clearing: clearing)) }
    }

    /// Stages a fault on request.
    ///
    /// - Throws: ``Failure`` where no fault has the name.
    @MainActor
    func stage(named name: String, in service: Service) throws {
        guard let fault = Fault.named(name) else {
            throw Failure(description: "no fault '\(name)'; '--fault list' names all of them")
        }
        stage(fault, in: service)
    }

    /// Clears all faults that can be cleared.
    ///
    /// - Throws: ``Failure`` where one is left that can't be, or none was staged.
    func clear() throws {
        let staged = staged.withLock { staged in
            defer { staged.removeAll { $0.clearing != nil } }
            return staged
        }
        for fault in staged {
            guard let clearing = fault.clearing else { continue }
            clearing()
            log("fault \(fault.name) is cleared")
        }
        let left = staged.filter { $0.clearing == nil }.map(\.name)
        guard left.isEmpty else {
            throw Failure(
                description: "nothing clears '\(left.joined(separator: "', '"))' but a restart")
        }
        guard !staged.isEmpty else { throw Failure(description: "there is no fault to clear") }
    }
}
