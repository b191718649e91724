import Glibc
import TelltaleSystem
import Testing

/// Descriptors that are held for when the process can have no other one.
struct DescriptorReserveTests {
    @Test("what is lent to one is not taken up for another")
    func lent() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 64, rlim_max: 64)
            #expect(setrlimit(__rlimit_resource_t(7), &limit) == 0)
            let reserve = DescriptorReserve.shared
            let original = OwnDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))
            reserve.fill(4, with: original)
            while open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0 {}
            // As a connection is given one, and keeps it.
            #expect(reserve.lend { open("/dev/null", O_RDONLY | O_CLOEXEC) } >= 0)
            let opened = reserve.givingUp(2) {
                // As the thread that accepts does at each turn.
                reserve.refill()
                return (0..<2).count { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0 }
            }
            #expect(opened == 2)
            exit(EXIT_SUCCESS)
        }
    }
}
