#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

extension ActionCalling {
    /// The result with a handle, if it is an object that is still alive.
    func numbered(_ node: ValueNode) -> ValueNode {
        guard node.kind == .object, let text = node.address, text.hasPrefix("0x"),
            let address = UInt(text.dropFirst(2), radix: 16),
            let type = MetadataCheck.classOfObject(at: address, in: .process)
        else { return node }
        var node = node
        node.handle = context.agent.handles.handle(
            found: address, word: UInt(bitPattern: TypeMetadata(type).pointer),
            typeName: TypeNames.name(of: type))
        return node
    }
}
#endif
