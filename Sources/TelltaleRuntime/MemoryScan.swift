#if TELLTALE_AGENT
import CTelltaleSystem
package import TelltaleSystem

/// A search of the process's private memory for objects by their first word.
///
/// The search costs a copy of the heap (some 0.15 s for a gigabyte of small blocks). The inside of large
/// blocks is skipped, because no object begins there. So the search runs when a command asks for it and
/// never on a timer. A hit is an address at which the word was found. The caller examines the memory after
/// the word to tell a live object from a freed one or a copy of the word.
package enum MemoryScan {
    package struct Hit: Sendable, Hashable {
        package var address: UInt
        package var word: FirstWord

        package init(address: UInt, word: FirstWord) {
            self.address = address
            self.word = word
        }
    }

    package struct Result: Sendable {
        package var hits: [Hit]
        /// The number of bytes searched.
        var bytes: UInt64
        /// The reason why the search is incomplete; nil if it is complete.
        package var cut: Cut?
    }

    package enum Cut: Sendable, Hashable {
        /// There were more hits than the capacity.
        case full
        /// The deadline passed before the search was complete.
        case late
        /// The process has too little memory left for the result buffer.
        case noMemory
        /// The memory could not be read; the error number.
        case failed(Int32)

        package var reason: String {
            switch self {
            case .full: "there is more than was counted"
            case .noMemory: "the process has no memory left for a search"
            case .late: "the search ended at its deadline"
            case .failed(let code):
                "the process's memory can't be searched (error \(code))"
            }
        }
    }

    static let maximumWords = 4096

    /// Finds every 16-aligned address whose word is one of the first ``maximumWords`` of `words`. Stops at
    /// `capacity` hits, of 16 bytes each.
    package static func find(
        words: [FirstWord], capacity: Int = 65_536, deadline: MonotonicTime
    ) -> Result {
        let all = Set(words).sorted()
        let complements = all.prefix(maximumWords).map { ~$0.word }
        guard !complements.isEmpty, capacity > 0 else {
            return Result(hits: [], bytes: 0, cut: nil)
        }
        guard MemoryRoom.isEnough, let start = ctelltale_scan_room(capacity) else {
            return Result(hits: [], bytes: 0, cut: .noMemory)
        }
        defer { ctelltale_scan_room_free(start, capacity) }
        let room = UnsafeBufferPointer(start: start, count: capacity)
        // Doesn't wait for the calibration: while the layout of heap blocks is unknown, all memory is read.
        let layout = HeapLayout.calibration.now
        let result = withUnsafePointer(to: layout?.numbers ?? ctelltale_heap_layout) { numbers in
            DescriptorReserve.shared.makingRoom(for: 3) {
                ctelltale_scan(
                    complements, complements.count, start, capacity, deadline.nanoseconds,
                    layout?.has(.blocks) == true ? numbers : nil)
            }
        }
        let hits = room.prefix(result.hits).map {
            Hit(address: $0.address, word: FirstWord($0.word))
        }
        let cut: Cut? =
            if result.error != 0 {
                .failed(result.error)
            } else if result.is_full || complements.count < all.count {
                .full
            } else if result.is_late {
                .late
            } else {
                nil
            }
        return Result(hits: hits, bytes: result.bytes, cut: cut)
    }
}
#endif
