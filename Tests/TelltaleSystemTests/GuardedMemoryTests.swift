import Testing

@testable import TelltaleSystem

struct GuardedMemoryTests {
    @Test("what is there is copied")
    func readsWhatIsThere() {
        let numbers: [UInt64] = [7, 8, 9]
        numbers.withUnsafeBytes { bytes in
            let address = UInt(bitPattern: bytes.baseAddress) + 8
            #expect(GuardedMemory.load(UInt64.self, at: address) == 8)
        }
    }

    @Test(
        "an address that can't be read is an answer and not a fault",
        arguments: [0, 8, UInt.max - 3, 1 << 47])
    func badAddress(_ address: UInt) {
        #expect(GuardedMemory.load(UInt64.self, at: address) == nil)
    }
}
