#if TELLTALE_AGENT
@testable import TelltaleAgent
import Testing

@Suite(.serialized)
struct RunLoopSourceTests {
    @Test("asking for it leaves nothing behind: the agent runs in a host for months")
    func leavesNothing() {
        let captured = [1]
        OperationRegistry.use { captured.isEmpty ? nil : nil }
        // A closure that was put around it has a context of its own.
        let first = Self.context(OperationRegistry.runLoopSource)
        for _ in 0..<10 { #expect(OperationRegistry.runLoopSource?() == nil) }
        #expect(first != 0)
        #expect(Self.context(OperationRegistry.runLoopSource) == first)
    }

    private static func context(_ source: OperationRegistry.RunLoopSource?) -> UInt {
        withUnsafeBytes(of: source) { $0.load(fromByteOffset: 8, as: UInt.self) }
    }
}
#endif
