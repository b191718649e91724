#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// Reads values from a copy-on-write snapshot of the process, in which nothing changes.
///
/// A snapshot taken while another thread was changing a value may contain a torn value: unreadable parts of
/// it are marked, as in every read.
struct SnapshotReader: Sendable {
    let limits: ReadLimits
    let masks: MaskPolicy
    let handles: HandleTable?

    /// Reads the value at `path` below an object, as `ValueReader.read` does; `place` is the object expected
    /// there.
    ///
    /// The host is suspended while it is copied; see ``FrozenCopy``. Called on a thread of the agent's, which
    /// makes the snapshot and reads it, and need not be on the object's owner.
    ///
    /// - Throws: The error of the read; `.unsupported` or `.internal` if there was no snapshot.
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
