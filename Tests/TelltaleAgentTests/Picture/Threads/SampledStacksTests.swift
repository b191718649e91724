#if TELLTALE_AGENT
import TelltalePicture
import TelltaleRuntime
import Testing

/// Stacks are folded while they come, within bounds.
@Suite struct SampledStacksTests {
    private static func frames(_ addresses: UInt...) -> [RawFrame] {
        addresses.map { RawFrame(address: $0, kind: .returnAddress) }
    }

    @Test("samples of one stack are one entry with their times")
    func folded() {
        var stacks = SampledStacks()
        var last = -2
        for _ in 0..<1000 {
            last = stacks.add(Self.frames(1, 2), origin: "queue", call: nil, thread: 3)
            stacks.count(last, cpu: 10, ready: 1)
        }
        #expect(stacks.stacks.count == 1 && stacks.stacks[0].times.samples == 1000)
        #expect(stacks.stacks[0].times.cpu == 10_000 && stacks.stacks[0].times.ready == 1000)
        #expect(stacks.dropped.samples == 0)
    }

    @Test("times beyond each bound are counted as dropped, and those of no stack are not")
    func bounds() {
        for bounds in [(stacks: 2, frames: 100), (stacks: 100, frames: 4)] {
            var stacks = SampledStacks(mostStacks: bounds.stacks, mostFrames: bounds.frames)
            for address in UInt(1)...5 {
                let index = stacks.add(
                    Self.frames(address, 9), origin: "queue", call: nil, thread: 3)
                stacks.count(index, cpu: 100)
            }
            stacks.count(nil, offCore: 7)
            #expect(stacks.stacks.count == 2)
            #expect(stacks.dropped.samples == 3 && stacks.dropped.cpu == 300)
            #expect(stacks.dropped.offCore == 0)
            // A known one is still counted.
            stacks.count(
                stacks.add(Self.frames(1, 9), origin: "queue", call: nil, thread: 3), cpu: 100)
            #expect(stacks.stacks[0].times.cpu == 200)
        }
    }
}
#endif
