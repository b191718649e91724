#if DEBUG || TELLTALE_AGENT_IN_RELEASE
import TelltaleProtocol
import TelltaleSystem

struct ReadLimits: Sendable {
    var depth = 6; var elements = 100; var bytes = 64 << 20; var stringBytes = 65_536;
    var deadline: MonotonicTime; init(deadline: MonotonicTime) { self.deadline = deadline }
}
enum ReadRoot { case object(AnyObject); case value(Any) }
struct ValueReader: Sendable {
    let limits: ReadLimits; let masks: MaskPolicy; let handles: HandleTable?
    init(limits: ReadLimits, masks: MaskPolicy, handles: HandleTable?) {
        self.limits = limits; self.masks = masks; self.handles = handles
    }
    func read(_ root: ReadRoot, rootName: String, path: [ValuePath.Component])
        throws(CommandFailure) -> ValueNode
    { ValueNode(type: "X", kind: .object) }
    func readPlain(_ root: ReadRoot, rootName: String, path: [ValuePath.Component])
        throws(CommandFailure) -> ValueNode?
    { ValueNode(type: "X", kind: .object) }
    func completions(of root: ReadRoot, path: [ValuePath.Component], prefix: String, max: Int)
        -> [String]
    { [] }
}
#endif
