#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime

extension LeaveCommand: ForcingCommand {
    static let kind = "group"
    static let list = "groups"
    static let part = DispatchLayout.Part.groups
    static let warning =
        "what waits for the group goes on as if one more had been done, and where the service's own "
        + "leave() still comes, the last of them finds the group empty, which ends the service"

    static func facts(of address: UInt, _ reader: DispatchReader) -> GroupFacts? {
        reader.group(at: address)
    }

    // Leaving an empty group would end the service here; a group that was left too often counts down from a
    // thousand million.
    static func check(_ group: GroupFacts, _ name: String) throws(CommandFailure) {
        guard group.outstanding <= 0 || group.outstanding > 1 << 28 else { return }
        throw CommandFailure(
            .conflict, "all have left \(name): another leave() would end the service",
            hint: "`groups --all` shows how many are in each")
    }

    static func force(
        _ group: ForcedObject<GroupFacts>
    ) throws(CommandFailure) -> (String, note: String) {
        guard DispatchSymbols.leave(group.address) else {
            throw CommandFailure(.unsupported, "groups can't be left here")
        }
        let count = group.facts.outstanding
        return ("left, \(count) -> \(count - 1)", note: warning)
    }
}
#endif
