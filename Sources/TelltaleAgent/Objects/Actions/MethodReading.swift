#if TELLTALE_AGENT
import Synchronization
import TelltaleSystem

/// Reads a type's methods ahead of whoever has no time for it: the first time takes a second and more, and a
/// half-typed line waits for a quarter of one.
enum MethodReading {
    private static let longest: Duration = .seconds(10)
    /// Types that are being read: one worker each, however often somebody asks.
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
