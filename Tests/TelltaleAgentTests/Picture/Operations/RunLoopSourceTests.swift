#if TELLTALE_AGENT
import Synchronization
@testable import TelltaleAgent
import Testing

@Suite(.serialized)
struct RunLoopSourceTests {
    @Test("asking for it puts nothing around it: the agent runs in a host for months")
    func staysAsItIs() {
        OperationRegistry.use {
            Self.place.store(Self.stackPlace(), ordering: .relaxed)
            return nil
        }
        #expect(OperationRegistry.runLoopSource?() == nil)
        let first = Self.place.load(ordering: .relaxed)
        // Each closure around it is one more function on the stack.
        for _ in 0..<100 { _ = OperationRegistry.runLoopSource }
        #expect(OperationRegistry.runLoopSource?() == nil)
        let last = Self.place.load(ordering: .relaxed)
        #expect(first != 0 && max(first, last) - min(first, last) < 1000, "\(first) \(last)")
    }

    private static let place = Atomic<UInt>(0)

    @inline(never) private static func stackPlace() -> UInt {
        var here = 0
        return withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
    }
}
#endif
