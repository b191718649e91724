#if TELLTALE_AGENT
import Synchronization
import TelltaleRuntime
import TelltaleSystem

/// Reads a type's methods ahead of the commands that have no time for it: the first read takes a second or
/// more, and the completion of a half-typed line waits only for a quarter of a second.
enum MethodReading {
    private static let longest: Duration = .seconds(10)
    /// The types being read: one worker for each, however many requests there are.
    private static let reading = Mutex<Set<ObjectIdentifier>>([])

    static func begin(_ type: Any.Type, of agent: Agent) {
        guard TypeMethods.known(of: type) == nil,
            reading.withLock({ $0.insert(ObjectIdentifier(type)).inserted })
        else { return }
        let symbols = agent.symbols
        agent.workers.submit {
            _ = TypeMethods.all(of: type, symbols, until: .now.advanced(by: longest))
            reading.withLock { _ = $0.remove(ObjectIdentifier(type)) }
        }
    }
}
#endif
