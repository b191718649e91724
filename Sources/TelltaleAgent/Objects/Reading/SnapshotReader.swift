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

    /// How long after the reading's deadline a copy ends by itself.
    private static let grace = Duration.milliseconds(250)

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - limits: As for `ValueReader`.
    ///   - masks: What is left out.
    ///   - handles: Where objects get their numbers; nil for none.
    init(limits: ReadLimits, masks: MaskPolicy, handles: HandleTable?) {
        self.limits = limits
        self.masks = masks
        self.handles = handles
    }

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
        let reader = ValueReader(limits: limits, masks: masks, handles: handles)
        let copy = try Self.copy(until: limits.deadline.advanced(by: Self.grace), rootName)
        let outcome: Result<ValueNode, CommandFailure>
        do throws(CommandFailure) {
            try place?.verify(in: root, masks: masks, source: .copy(copy))
            outcome = .success(
                try reader.read(root, rootName: rootName, path: path, in: .copy(copy)))
        } catch {
            outcome = .failure(error)
        }
        if let end = copy.end() {
            throw CommandFailure(
                .internal, "\(rootName) was not read: a copy of the process \(end)",
                hint: "try again, or give the object an owner, so that it can be read there")
        }
        return try outcome.get()
    }

    private static func copy(
        until deadline: MonotonicTime, _ rootName: String
    ) throws(CommandFailure) -> FrozenCopy {
        do throws(SystemError) {
            return try FrozenCopy(until: deadline)
        } catch {
            throw CommandFailure(
                .unsupported, "\(rootName) was not read: no copy of the process: \(error)",
                hint: "give the object an owner, so that it can be read there")
        }
    }
}
#endif
