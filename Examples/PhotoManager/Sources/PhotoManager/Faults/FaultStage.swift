import Foundation
import Synchronization

/// The fault that this run was started with, and what clears it.
final class FaultStage: Sendable {
    /// A fault that stays.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let clearing = Mutex<Fault.Clearing?>(nil)
    private let name = Mutex("")

    /// Stages a fault, and says so a moment later, when it is complete.
    @MainActor
    func stage(_ fault: Fault, in service: Service) {
        name.withLock { $0 = fault.name }
        // A thread of its own: some faults leave neither the main queue nor any other.
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.3)
            log("fault \(fault.name) is staged: \(fault.summary)")
        }
        let clearing = fault.stage(service)
        self.clearing.withLock { $0 = clearing }
    }

    /// Stages a fault on somebody's request.
    ///
    /// - Throws: ``Failure`` where no fault has the name.
    @MainActor
    func stage(named name: String, in service: Service) throws {
        guard let fault = Fault.named(name) else {
            throw Failure(description: "no fault '\(name)'; '--fault list' names all of them")
        }
        stage(fault, in: service)
    }

    /// Clears the fault, once.
    ///
    /// - Throws: ``Failure`` where there is nothing that could be cleared.
    func clear() throws {
        let clearing = clearing.withLock { clearing in
            defer { clearing = nil }
            return clearing
        }
        let name = name.withLock { $0 }
        guard let clearing else {
            throw Failure(description: "nothing clears '\(name)' but a restart")
        }
        clearing()
        log("fault \(name) is cleared")
    }
}
