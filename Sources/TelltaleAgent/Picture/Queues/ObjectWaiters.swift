#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// Threads that wait inside of an object, by the address that the kernel has them wait at.
struct ObjectWaiters {
    private let waits: [(place: UInt, thread: Int32)]

    init(_ picture: Picture) {
        waits = picture.threads.compactMap { thread in
            guard case .waiting(let call) = thread.state, call.name == "futex",
                let place = call.arguments.first
            else { return nil }
            return (place, thread.id)
        }
    }

    /// The threads that wait in the `size` bytes of the object at `address`.
    func threads(in address: UInt, size: UInt) -> [Int32] {
        waits.filter { $0.place >= address && $0.place - address < size }.map(\.thread).sorted()
    }
}
#endif
