#if TELLTALE_AGENT
import TelltalePicture
import TelltaleRuntime
import TelltaleSystem

/// Threads that wait for groups and semaphores, by the futex address at which the kernel lets them wait.
struct ObjectWaiters {
    private let waits: [(place: UInt, thread: Int32)]
    private let layout: DispatchLayout

    init(_ picture: Picture) {
        layout = .known(by: .now)
        waits = picture.threads.compactMap { thread in
            guard case .waiting(let call) = thread.state, call.name == "futex",
                let place = call.arguments.first
            else { return nil }
            return (place, thread.id)
        }
    }

    func threads(inGroup address: UInt) -> [Int32] {
        threads(at: address &+ layout.groupWord)
    }

    func threads(inSemaphore address: UInt) -> [Int32] {
        threads(at: address &+ layout.semaphoreWord)
    }

    /// Returns those of the threads that are the agent's own; nil if there are none.
    func agents(among threads: [Int32]) -> [Int32]? {
        let agents = threads.filter { NativeThread.isAgents($0) }
        return agents.isEmpty ? nil : agents
    }

    private func threads(at place: UInt) -> [Int32] {
        waits.filter { $0.place == place }.map(\.thread).sorted()
    }
}
#endif
