#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleSystem

/// A search of the process's private memory for objects by their first word.
///
/// It costs a copy of the heap but for the inside of its large blocks, where no object begins (some 0.15 s
/// for a gigabyte of small ones), so that it runs when a command asks for it and never on a timer. What it
/// finds are places that begin with the word: what was freed there, or is a copy, the caller tells from
/// what lies behind it.
enum MemoryScan {
    struct Hit: Sendable, Hashable {
        var address: UInt
        var word: UInt
    }

    struct Result: Sendable {
        var hits: [Hit]
        /// How much memory was looked through.
        var bytes: UInt64
        /// Why it isn't all; nil where it is.
        var cut: Cut?
    }

    enum Cut: Sendable, Hashable {
        /// There were more hits than room for them.
        case full
        /// The deadline came first.
        case late
        /// The process can have no memory for what would be found.
        case noMemory
        /// The memory could not be read; the error's number.
        case failed(Int32)

        var reason: String {
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

    /// Finds every 16-aligned place whose word is one of `words`, at most ``maximumWords``. It ends at
    /// `capacity` hits, of 16 bytes each.
    static func find(words: [UInt], capacity: Int = 65_536, deadline: MonotonicTime) -> Result {
        let all = Set(words).sorted()
        let sorted = Array(all.prefix(maximumWords))
        guard !sorted.isEmpty, capacity > 0 else {
            return Result(hits: [], bytes: 0, cut: nil)
        }
        guard MemoryRoom.isEnough, let start = ctelltale_scan_room(capacity) else {
            return Result(hits: [], bytes: 0, cut: .noMemory)
        }
        defer { ctelltale_scan_room_free(start, capacity) }
        let room = UnsafeBufferPointer(start: start, count: capacity)
        // Nothing is waited for: where blocks are not known yet, all is read.
        let layout = HeapLayout.calibration.now
        let result = withUnsafePointer(to: layout?.numbers ?? ctelltale_heap_layout) { numbers in
            DescriptorReserve.shared.makingRoom(for: 3) {
                ctelltale_scan(
                    sorted, sorted.count, start, capacity, deadline.nanoseconds,
                    layout?.has(.blocks) == true ? numbers : nil)
            }
        }
        let hits = room.prefix(result.hits).map { Hit(address: $0.address, word: $0.word) }
        let cut: Cut? =
            if result.error != 0 {
                .failed(result.error)
            } else if result.is_full || sorted.count < all.count {
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
