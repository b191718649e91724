#if TELLTALE_AGENT
import Dispatch
import Foundation
import TelltalePicture
import TelltaleSystem

@testable import TelltaleAgent
@testable import TelltaleRuntime

/// Elements removed from Swift's own storage are not a path: its capacity keeps their old words.
extension DeadShapes {
    static let storages: [HeldShape] = [
        HeldShape("behind an array's last element", .nobody) { stage in
            let semaphore = DispatchSemaphore(value: 0)
            var array: [DispatchSemaphore] = []
            array.reserveCapacity(8)
            for _ in 0..<4 { array.append(semaphore) }
            array.removeAll(keepingCapacity: true)
            keep(array, stage)
            stage.wait(for: semaphore)
        },
        HeldShape("in an empty bucket of a dictionary", .nobody) { stage in
            let semaphore = DispatchSemaphore(value: 0)
            var table: [Int: DispatchSemaphore] = [:]
            for key in 0..<8 { table[key] = semaphore }
            table.removeAll(keepingCapacity: true)
            keep(table, stage)
            stage.wait(for: semaphore)
        },
        HeldShape("in an empty bucket of a set", .nobody) { stage in
            let semaphore = DispatchSemaphore(value: 0)
            var set: Set<ObjectIdentifier> = [ObjectIdentifier(semaphore)]
            set.removeAll(keepingCapacity: true)
            keep(set, stage)
            stage.wait(for: semaphore)
        },
        HeldShape("in the bytes of a string", .nobody) { stage in
            let semaphore = DispatchSemaphore(value: 0)
            var word = UInt(bitPattern: Unmanaged.passUnretained(semaphore).toOpaque())
            let text = String(unsafeUninitializedCapacity: 256) { buffer in
                withUnsafeBytes(of: &word) { bytes in
                    for place in stride(from: 0, to: 256, by: 8) {
                        UnsafeMutableRawBufferPointer(buffer)[place...].copyBytes(from: bytes)
                    }
                }
                for index in 0..<32 { buffer[index] = UInt8(ascii: "a") }
                return 32
            }
            word = 0
            keep(text, stage)
            stage.wait(for: semaphore)
        },
        HeldShape("in the bytes of a Data", .nobody) { stage in
            let semaphore = DispatchSemaphore(value: 0)
            var data = Data(count: 256)
            write(semaphore, into: &data)
            keep(data, stage)
            stage.wait(for: semaphore)
        },
        HeldShape("in the buffer of what has characters only", .nobody) { stage in
            let semaphore = DispatchSemaphore(value: 0)
            let set = NSMutableCharacterSet(charactersIn: "telltale")
            let start = UInt(bitPattern: Unmanaged.passUnretained(set).toOpaque())
            // The first of its words that is a buffer's address.
            for place in stride(from: start + 16, to: start + 80, by: 8) {
                guard let word = UnsafePointer<UInt>(bitPattern: place)?.pointee, word & 15 == 0,
                    let size = UnsafePointer<UInt>(bitPattern: word &- 8).flatMap({
                        GuardedMemory.load(UInt.self, at: UInt(bitPattern: $0))
                    }), 64...4096 ~= size & ~7,
                    let buffer = UnsafeMutablePointer<UInt>(bitPattern: word)
                else { continue }
                let last = Int(size & ~7) / 8 - 2
                buffer[last] = UInt(bitPattern: Unmanaged.passUnretained(semaphore).toOpaque())
                keep(Characters(set: set), stage)
                return stage.wait(for: semaphore)
            }
            fatalError("\(set) has no buffer")
        },
        HeldShape("in what the agent has copied of a stack", .nobody) { stage in
            let semaphore = DispatchSemaphore(value: 0)
            let word = UInt(bitPattern: Unmanaged.passUnretained(semaphore).toOpaque())
            let isDone = Locked(false)
            Thread.detachNewThread { while !isDone.withLock({ $0 }) {} }
            while ThreadCapture.copies == 0 { _ = try? Captured.picture(.all) }
            isDone.withLock { $0 = true }
            // At the end of the first copy: few stacks are as long as that.
            if let copies = UnsafeMutableRawPointer(bitPattern: ThreadCapture.copies) {
                copies.storeBytes(of: word, toByteOffset: 65_472, as: UInt.self)
            }
            stage.wait(for: semaphore)
        },
    ]

    private struct Characters: @unchecked Sendable {  // never used
        let set: NSMutableCharacterSet
    }

    @inline(never) private static func write(_ semaphore: DispatchSemaphore, into data: inout Data)
    {
        var word = UInt(bitPattern: Unmanaged.passUnretained(semaphore).toOpaque())
        withUnsafeBytes(of: &word) { data.replaceSubrange(64..<72, with: $0) }
        word = 0
    }

    /// With a lock of Foundation's: objects in the agent's own storage are the agent's, and don't
    /// count as retained.
    private static let lock = NSLock()
    nonisolated(unsafe) private static var kept: [Int: any Sendable] = [:]

    /// Has a variable hold it as long as the stage stands.
    static func keep(_ value: some Sendable, _ stage: Stage) {
        let key = lock.withLock {
            let key = (kept.keys.max() ?? 0) + 1
            kept[key] = value
            return key
        }
        stage.atEnd { lock.withLock { _ = kept.removeValue(forKey: key) } }
    }
}
#endif
