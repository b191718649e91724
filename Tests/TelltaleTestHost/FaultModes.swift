import Dispatch
import Foundation
import Synchronization
import TelltaleAgent

@_silgen_name("syscall") private func systemCall(_ number: Int, _ flags: Int) -> Int

/// Hazards for a reader of the host's memory: handlers of the host's for faults, dangling references, and a region of
/// `userfaultfd` that is not served.
enum FaultModes {
    /// A reference to a page that can't be read. Never used here.
    private final class Wild: @unchecked Sendable {
        let number = 11
        var object: AnyObject?
    }

    /// Values whose references are overwritten.
    private final class Damaged: @unchecked Sendable {
        struct Inner { var text = "a text that is long enough for the heap" }
        enum Choice { case one(String), two([Int]) }

        var text = "a text that is long enough for the heap"
        var list = [1, 2, 3]
        var table = ["one": 1]
        var numbers: Set<Int> = [4]
        var object: Wild? = Wild()
        var anything: Any = Wild()
        var inner = Inner()
        var choice = Choice.two([5])
        var pair = (Inner(), 6)
        var perhaps: Inner? = Inner()
    }

    private static let faults = Atomic(0)
    private static let foreign = Atomic(0)
    private static let swaps = Atomic(0)
    private static let isSwapping = Atomic(false)
    nonisolated(unsafe) private static var kept: [AnyObject] = []
    // For the handler.
    nonisolated(unsafe) private static var page = UnsafeMutableRawPointer(bitPattern: 4096)

    /// - `fault wild` registers an object with a reference to nothing;
    /// - `fault damaged` registers one whose references all lead nowhere;
    /// - `fault swap` has a thread put a crash handler in place, and the one before back, over and over, until
    ///   `fault met` says how often that was done, how often there was another one before, and how many faults came;
    /// - `fault crash` ends the process by a fault behind a crash handler that goes on to the one before;
    /// - `fault userfaultfd` makes a region that is not served, and has a thread and an object refer to it.
    static func perform(_ words: [String]) -> String? {
        guard words.first == "fault", words.count > 1 else { return nil }
        switch words[1] {
        case "wild": return registerWild()
        case "damaged": return registerDamaged()
        case "swap": return swap()
        case "met":
            isSwapping.store(false, ordering: .relaxed)
            let count = swaps.load(ordering: .relaxed) > 1000 ? "many" : "few"
            return "\(count) \(foreign.load(ordering: .relaxed)) \(faults.load(ordering: .relaxed))"
        case "crash": return crash()
        case "userfaultfd": return makeUnserved()
        default: return nil
        }
    }

    private static func registerWild() -> String {
        let room = mmap(nil, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let room, room != MAP_FAILED else { return "no page" }
        page = room
        let wild = Wild()
        withUnsafeMutableBytes(of: &wild.object) {
            $0.storeBytes(of: UInt(bitPattern: room), as: UInt.self)
        }
        kept.append(wild)
        Telltale.register(wild, as: "wild", on: DispatchQueue(label: "test.wild"))
        return "registered"
    }

    private static func registerDamaged() -> String {
        let damaged = Damaged()
        func overwrite<Value>(_ value: inout Value) {
            withUnsafeMutableBytes(of: &value) { bytes in
                for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
                    // An address that no object has, without the bits of an immediate or immortal string.
                    bytes.storeBytes(of: 0x0000_1234_5678_9AB8, toByteOffset: offset, as: UInt.self)
                }
            }
        }
        overwrite(&damaged.text)
        overwrite(&damaged.list)
        overwrite(&damaged.table)
        overwrite(&damaged.numbers)
        overwrite(&damaged.object)
        overwrite(&damaged.anything)
        overwrite(&damaged.inner)
        overwrite(&damaged.choice)
        overwrite(&damaged.pair)
        overwrite(&damaged.perhaps)
        kept.append(damaged)
        Telltale.register(damaged, as: "damaged", on: DispatchQueue(label: "test.damaged"))
        return "registered"
    }

    // A fault of the agent's would come here again and again: it ends with the page.
    private static func makeHandler() -> sigaction {
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { _, _, _ in
            FaultModes.faults.add(1, ordering: .relaxed)
            if let page = FaultModes.page { mprotect(page, 4096, PROT_READ) }
        }
        action.sa_flags = SA_SIGINFO
        return action
    }

    private static func swap() -> String {
        isSwapping.store(true, ordering: .relaxed)
        // Swift's backtracer has handlers where it is on.
        let others = [SIGSEGV, SIGBUS].map { signal in
            var before = sigaction()
            sigaction(signal, nil, &before)
            return unsafeBitCast(before.__sigaction_handler, to: UInt.self)
        }
        Thread.detachNewThread {
            while isSwapping.load(ordering: .relaxed) {
                for (signal, other) in zip([SIGSEGV, SIGBUS], others) {
                    var own = makeHandler()
                    var before = sigaction()
                    sigaction(signal, &own, &before)
                    if unsafeBitCast(before.__sigaction_handler, to: UInt.self) != other {
                        foreign.add(1, ordering: .relaxed)
                    }
                    sigaction(signal, &before, nil)
                }
                swaps.add(1, ordering: .relaxed)
            }
        }
        return "swapping"
    }

    nonisolated(unsafe) private static var before = sigaction()

    private static func crash() -> String {
        var own = sigaction()
        own.__sigaction_handler.sa_sigaction = { number, info, context in
            let handler = unsafeBitCast(FaultModes.before.__sigaction_handler, to: UInt.self)
            guard handler > 1, let next = FaultModes.before.__sigaction_handler.sa_sigaction else {
                signal(number, SIG_DFL)
                return
            }
            next(number, info, context)
        }
        own.sa_flags = SA_SIGINFO
        sigaction(SIGSEGV, &own, &before)
        UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
        return "alive"
    }

    private static func makeUnserved() -> String {
        #if arch(x86_64)
        let descriptor = Int32(systemCall(323, Int(O_CLOEXEC)))
        #else
        let descriptor = Int32(systemCall(282, Int(O_CLOEXEC)))
        #endif
        var api: (version: UInt64, features: UInt64, calls: UInt64) = (0xAA, 0, 0)
        let size = 64 << 20
        let room = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard descriptor >= 0, ioctl(descriptor, 0xC018_AA3F, &api) == 0, let room,
            room != MAP_FAILED
        else { return "refused" }
        // Its first page is there, as is one in its middle.
        for page in [0, size / 2] {
            (room + page).storeBytes(of: UInt(bitPattern: room) + UInt(page) + 8192, as: UInt.self)
        }
        var region: (start: UInt64, length: UInt64, mode: UInt64, calls: UInt64) = (
            UInt64(UInt(bitPattern: room)), UInt64(size), 1, 0
        )
        guard ioctl(descriptor, 0xC020_AA00, &region) == 0 else { return "refused" }
        let wild = Wild()
        withUnsafeMutableBytes(of: &wild.object) {
            $0.storeBytes(of: UInt(bitPattern: room) + 8192, as: UInt.self)
        }
        kept.append(wild)
        Telltale.register(wild, as: "unserved", on: DispatchQueue(label: "test.unserved"))
        let begun = DispatchSemaphore(value: 0)
        let words = [UInt(bitPattern: room) + 4096, UInt(bitPattern: room) + 12288]
        Thread.detachNewThread {
            var onStack = (words[0], words[1])
            withUnsafeBytes(of: &onStack) { _ in
                begun.signal()
                DispatchSemaphore(value: 0).wait()
            }
        }
        begun.wait()
        return "staged"
    }
}
