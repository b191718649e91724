#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension SignalCommand: AgentCommand {
    static func changed(_ parameters: Parameters) -> String? { parameters.target }

    static let hasTargets = true

    static func targets(_ parameters: Parameters, in context: CommandContext) -> [String] {
        context.names(ofPath: parameters.target)
    }

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let object = ForcedObject<SemaphoreFacts>(
            context: context, kind: "semaphore", list: "semaphores", part: .semaphores,
            read: { $0.semaphore(at: $1) })
        let warning =
            "the thread goes on as if what it waits for had been done, and the service's own signal, if it "
            + "still comes, lets one in too many"
        let found = try object.find(parameters.target)
        try check(found.facts.value, parameters)
        try object.confirm(parameters, description, warning)
        // As it is now.
        guard let now = found.reader.semaphore(at: found.address) else {
            throw CommandFailure(.gone, "the semaphore is gone")
        }
        try check(now.value, parameters)
        guard DispatchSymbols.signal(found.address) else {
            throw CommandFailure(.unsupported, "semaphores can't be signalled here")
        }
        return object.answer(
            description, found, parameters, result: "signalled, \(now.value) -> \(now.value + 1)",
            note: warning)
    }

    private static func check(_ value: Int, _ parameters: Parameters) throws(CommandFailure) {
        guard value >= 0 else { return }
        throw CommandFailure(
            .conflict,
            "no thread waits for \(parameters.target.escaped(limit: 100)): its value is \(value)",
            hint: "`semaphores` shows who waits")
    }
}
#endif
