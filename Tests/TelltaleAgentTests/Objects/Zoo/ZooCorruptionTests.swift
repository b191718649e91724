#if TELLTALE_AGENT
import TelltaleFoundation
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import TelltaleZoo
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

/// Half-written and freed memory holds anything: tags that no case has, counts, references to the middle of
/// other objects.
@Suite("No value ends the host, whatever stands in it") struct ZooCorruptionTests {
    @Test("properties that are overwritten at random", arguments: TelltaleZoo.Zoo.kinds.map(\.name))
    func random(_ name: String) throws {
        Telltale.useFoundation()
        _ = DispatchLayout.calibration.known(by: .now.advanced(by: .seconds(20)))
        let object = try #require(TelltaleZoo.Zoo.kinds.first { $0.name == name }).make()
        let words = TypeMetadata(type(of: object)).instanceSize / 8
        let original = UnsafeRawBufferPointer(
            start: Unmanaged.passUnretained(object).toOpaque(), count: words * 8)
        // Nothing in the copy is retained, and nothing is let go.
        let copy = UnsafeMutableBufferPointer<UInt>.allocate(capacity: words)
        defer {
            copy.deallocate()
            withExtendedLifetime(object) {}
        }
        var generator = SeededGenerator(seed: 7)
        let values = (0..<words).map { original.load(fromByteOffset: $0 * 8, as: UInt.self) }
        for round in 0..<150 {
            _ = copy.initialize(from: values)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 2..<words, using: &generator)
                copy[index] = word(values, &generator)
            }
            var limits = ReadLimits(deadline: .now.advanced(by: .seconds(5)))
            limits.takesLocks = false
            limits.asked = round % 5 == 0 ? [.bytes, .memory] : []
            let masks = MaskPolicy(additionalNames: [])
            let reader = ValueReader(limits: limits, masks: masks, handles: HandleTable())
            let root = ReadRoot.object(at: UInt(bitPattern: copy.baseAddress))
            let content = try? reader.readContent(root, rootName: "x", path: [])
            if limits.asked.isEmpty { #expect(content != nil) }
            _ = content?.node
        }
    }

    private func word(_ values: [UInt], _ generator: inout SeededGenerator) -> UInt {
        let other = values.randomElement(using: &generator) ?? 0
        switch Int.random(in: 0..<7, using: &generator) {
        case 0: return UInt.random(in: 0 ... .max, using: &generator)
        case 1: return UInt.random(in: 0..<300, using: &generator)
        case 2: return other
        case 3: return other &+ UInt.random(in: 0..<64, using: &generator)
        case 4: return other ^ (1 << UInt.random(in: 0..<64, using: &generator))
        case 5: return .max - UInt.random(in: 0..<4, using: &generator)
        default: return 0
        }
    }
}
#endif
