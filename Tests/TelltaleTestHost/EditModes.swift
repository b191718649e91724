import Dispatch
import Synchronization
import TelltaleAgent

/// Values that take a long time, or much memory, to change: `edits`.
enum EditModes {
    private static let onQueue = DispatchSpecificKey<Bool>()
    private static let madeOnOwner = Atomic(0)
    private static let made = Atomic(0)

    /// Counts the values that were decoded from a client's text, and those of them that the owner decoded.
    private struct Typed: Decodable {
        var number = 0
        private enum Key: CodingKey { case number }

        init(number: Int) { self.number = number }

        init(from decoder: any Decoder) throws {
            number = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .number)
            made.add(1, ordering: .relaxed)
            if DispatchQueue.getSpecific(key: onQueue) == true {
                madeOnOwner.add(1, ordering: .relaxed)
            }
        }
    }

    private final class Sheet: @unchecked Sendable {
        let queue = DispatchQueue(label: "test.sheet")
        var page = [UInt8](repeating: 3, count: 1 << 20)
        var numbers: [Int] = [1]
        var typed = Typed(number: 1)
        var several: [Typed] = []
        var byName: [String: Typed] = [:]
        var large = [UInt8](repeating: 1, count: 20 << 20)
        var shared = [UInt8](repeating: 2, count: 20 << 20)
        var other: [UInt8] = []
    }

    private static let kept = Mutex<Sheet?>(nil)

    static func register() {
        let sheet = Sheet()
        sheet.queue.setSpecific(key: onQueue, value: true)
        sheet.other = sheet.shared
        kept.withLock { $0 = sheet }
        Telltale.register(sheet, as: "sheet", on: sheet.queue)
        Telltale.register("made") { made.load(ordering: .relaxed) }
        Telltale.register("madeOnOwner") { madeOnOwner.load(ordering: .relaxed) }
    }
}
