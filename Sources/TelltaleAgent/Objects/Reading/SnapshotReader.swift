#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// Reads values from a frozen copy of the process, where nothing changes any more.
///
/// A copy that was made while another thread was in the middle of a change may hold a torn value:
/// what of it can't be read is marked, as everywhere.
struct SnapshotReader: Sendable {
    let limits: ReadLimits
    let masks: MaskPolicy
    let handles: HandleTable?

    /// Reads the value at `path` below an object, as `ValueReader.read` does; `place` is what must
    /// stand there.
    ///
    /// The host stands still while it is copied; see ``FrozenCopy``. To be called on a thread of
    /// the agent's, which need not be on the object's owner: it makes the copy and reads it.
    ///
    /// - Throws: What the reading threw; `.unsupported` or `.internal` where there was no copy.
    func read(
        _ root: ReadRoot, rootName: String, path: [ValuePath.Component],
        expecting place: HandleTable.Place? = nil
    ) throws(CommandFailure) -> ValueNode {
        try readContent(root, rootName: rootName, path: path, expecting: place).node
    }

    func readContent(
        _ root: ReadRoot, rootName: String, path: [ValuePath.Component],
        query: ReadQuery? = nil, expecting place: HandleTable.Place? = nil, isAsked: Bool = true
    ) throws(CommandFailure) -> ValueContent {
        let reader = ValueReader(limits: limits, masks: masks, handles: handles)
        let purpose = SnapshotCopy.Purpose(
            subject: rootName, isAsked: isAsked, command: "show \(rootName) --snapshot")
        let copy = try SnapshotCopy.make(for: purpose, until: limits.deadline)
        let outcome: Result<ValueContent, CommandFailure>
        do throws(CommandFailure) {
            try place?.verify(in: root, masks: masks, source: .copy(copy))
            outcome = .success(
                try reader.readContent(
                    root, rootName: rootName, path: path, query: query, in: .copy(copy)))
        } catch {
            outcome = .failure(error)
        }
        if let end = copy.end() {
            throw CommandFailure(
                .internal, "\(rootName) was not read: a copy of the process \(end)",
                hint: "try again, or give the object an owner, so that it can be read there")
        }
        let content = try outcome.get()
        reader.number(content, rootName: rootName)
        return content
    }
}
#endif
