#if TELLTALE_AGENT
import TelltaleSystem
import TelltaleTestSupport

@testable import TelltaleAgent

/// Memory that has nothing to do with what is looked for: large blocks of any words, and many small ones that
/// lead to each other.
final class Noise {
    private var blocks: [UnsafeMutableRawPointer] = []

    init(megabytes: Int) {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<megabytes * 3 / 4 {
            let block = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 16)
            if let first = blocks.first {
                block.copyMemory(from: first, byteCount: 1 << 20)
            } else {
                for offset in stride(from: 0, to: 1 << 20, by: 8) {
                    block.storeBytes(of: random.next() >> 17, toByteOffset: offset, as: UInt64.self)
                }
            }
            blocks.append(block)
        }
        for _ in 0..<megabytes * 1024 {
            let block = UnsafeMutableRawPointer.allocate(byteCount: 200, alignment: 16)
            block.initializeMemory(as: UInt8.self, repeating: 0, count: 200)
            if let last = blocks.last { block.storeBytes(of: last, as: type(of: last)) }
            blocks.append(block)
        }
    }

    func end() {
        blocks.forEach { $0.deallocate() }
        blocks = []
    }
}
#endif
