#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime

extension SignalCommand: ForcingCommand {
    static let kind = "semaphore"
    static let list = "semaphores"
    static let part = DispatchLayout.Part.semaphores
    static let warning =
        "the thread goes on as if what it waits for had been done, and the service's own signal, if it "
        + "still comes, lets one in too many"

    static func facts(of address: UInt, _ reader: DispatchReader) -> SemaphoreFacts? {
        reader.semaphore(at: address)
    }

    static func check(_ semaphore: SemaphoreFacts, _ name: String) throws(CommandFailure) {
        guard semaphore.value >= 0 else { return }
        throw CommandFailure(
            .conflict, "no thread waits for \(name): its value is \(semaphore.value)",
            hint: "`semaphores` shows who waits")
    }

    static func force(
        _ semaphore: ForcedObject<SemaphoreFacts>
    ) throws(CommandFailure) -> (String, note: String) {
        guard DispatchSymbols.signal(semaphore.address) else {
            throw CommandFailure(.unsupported, "semaphores can't be signalled here")
        }
        let value = semaphore.facts.value
        return ("signalled, \(value) -> \(value + 1)", note: warning)
    }
}
#endif
