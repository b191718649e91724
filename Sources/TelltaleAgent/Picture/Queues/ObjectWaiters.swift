#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// Threads that wait for groups and semaphores, by the address that the kernel has them wait at.
struct ObjectWaiters {
    private let waits: [(place: UInt, thread: Int32)]
    private let layout: DispatchLayout

    init(agent: Agent, deadline: MonotonicTime) {
        let look = agent.shared.threads.look(withFrames: false, until: deadline)
        layout = .known(by: deadline)
        waits = look.samples.compactMap { sample in
            guard case .waiting(let call) = sample.state, call.name == "futex",
                let place = call.arguments.first
            else { return nil }
            return (place, sample.id)
        }
    }

    func threads(inGroup address: UInt) -> [Int32] {
        threads(at: address &+ layout.groupWord)
    }

    func threads(inSemaphore address: UInt) -> [Int32] {
        threads(at: address &+ layout.semaphoreWord)
    }

    private func threads(at place: UInt) -> [Int32] {
        waits.filter { $0.place == place }.map(\.thread).sorted()
    }
}
#endif
