import Foundation
import Synchronization
import TelltaleAgent
import TelltaleFoundation

/// Operation queues, one of which hangs its reader.
enum OperationModes {
    /// Never ready; once `hangs` is set, a query does not return.
    private final class Hanging: Operation, @unchecked Sendable {
        let hangs = Atomic(false)

        override var isReady: Bool {
            while hangs.load(ordering: .relaxed) { sleep(1) }
            return false
        }
    }

    // Made and used on the thread that reads lines.
    nonisolated(unsafe) private static var queues: [OperationQueue] = []

    /// `operations`: two queues are shown, the second of which hangs; `operations more`: 300 of them.
    static func perform(_ words: [String]) -> String? {
        guard words.first == "operations" else { return nil }
        let well = OperationQueue()
        well.name = "test.well"
        well.isSuspended = true
        for number in 0..<(words.last == "more" ? 300 : 2) {
            let operation = BlockOperation {}
            operation.name = "operation \(number)"
            well.addOperation(operation)
        }
        let hung = OperationQueue()
        hung.name = "test.hung"
        let hanging = Hanging()
        hung.addOperation(hanging)
        Telltale.observe(hung)
        Telltale.observe(well)
        queues += [well, hung]
        hanging.hangs.store(words.last == "operations", ordering: .relaxed)
        return "observed"
    }
}
