#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension LeaveCommand: AgentCommand {
    static func changed(_ parameters: Parameters) -> String? { parameters.target }

    static let hasTargets = true

    static func targets(_ parameters: Parameters, in context: CommandContext) -> [String] {
        context.names(ofPath: parameters.target)
    }

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        let object = ForcedObject<GroupFacts>(
            context: context, kind: "group", list: "groups", part: .groups,
            read: { $0.group(at: $1) })
        let warning =
            "what waits for the group goes on as if one more had been done, and where the service's own "
            + "leave() still comes, the last of them finds the group empty, which ends the service"
        let found = try object.find(parameters.target)
        try check(found.facts.outstanding, parameters)
        try object.confirm(parameters, description, warning)
        // As it is now: of an empty one it would end the service here.
        guard let now = found.reader.group(at: found.address) else {
            throw CommandFailure(.gone, "the group is gone")
        }
        try check(now.outstanding, parameters)
        guard DispatchSymbols.leave(found.address) else {
            throw CommandFailure(.unsupported, "groups can't be left here")
        }
        return object.answer(
            description, found, parameters,
            result: "left, \(now.outstanding) -> \(now.outstanding - 1)", note: warning)
    }

    private static func check(_ count: Int, _ parameters: Parameters) throws(CommandFailure) {
        // A group that was left too often counts from a thousand million.
        guard count <= 0 || count > 1 << 28 else { return }
        throw CommandFailure(
            .conflict,
            "all have left \(parameters.target.escaped(limit: 100)): another leave() would end the service",
            hint: "`groups --all` shows how many are in each")
    }
}
#endif
