#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleProtocol

/// Adds nodes created in Swift to a walk's tree.
struct TreeFilling {
    let plans: TypePlans
    let state: UnsafeMutablePointer<CTelltaleWalk>

    static let kinds: [ValueNode.Kind: CTelltaleNodeKind] = [
        .scalar: .scalar, .string: .string, .object: .object, .structure: .structure,
        .enumeration: .enumeration, .none: .none, .tuple: .tuple, .array: .array, .set: .set,
        .dictionary: .dictionary, .opaque: .opaque, .reference: .reference, .masked: .masked,
        .unavailable: .unavailable,
    ]
    private static let longestPosition = 10

    /// Adds a node and its parts.
    func add(_ node: ValueNode) {
        var flat = CTelltaleNode()
        guard let kind = Self.kinds[node.kind] else { return fail() }
        flat.kind = kind.rawValue
        flat.type = plans.name(node.type)
        flat.note = node.note.map(plans.name) ?? CTELLTALE_NO_NAME
        flat.cut = node.cut.map { plans.name($0.reason) } ?? CTELLTALE_NO_NAME
        flat.handle = Int32(clamping: node.handle ?? 0)
        label(node.label, &flat)
        value(node, &flat)
        if let omitted = node.cut?.omitted {
            flat.omitted = UInt64(clamping: omitted)
            flat.flags |= UInt8(CTelltaleNodeHasOmitted)
        }
        let index = ctelltale_tree_add(&state.pointee.tree, flat)
        if var text = node.text {
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { bytes in
                    guard let start = bytes.baseAddress else { return empty(index) }
                    ctelltale_tree_text(&state.pointee.tree, index, start, bytes.count)
                }
            }
        }
        for child in node.children { add(child) }
        ctelltale_tree_close(&state.pointee.tree, index)
    }

    private func empty(_ index: UInt32) {
        var none = CChar(0)
        ctelltale_tree_text(&state.pointee.tree, index, &none, 0)
    }

    private func fail() { state.pointee.tree.has_failed = true }

    // The positions in a list are stored as numbers and not as names, because a long list would add as many
    // names.
    private func label(_ label: String?, _ flat: inout CTelltaleNode) {
        guard let label else {
            flat.label = CTELLTALE_NO_NAME
            return
        }
        let position = label.utf8.dropFirst().dropLast()
        if label.hasPrefix("["), label.hasSuffix("]"), position.count < Self.longestPosition,
            let number = UInt32(Substring(position)), String(number).utf8.elementsEqual(position)
        {
            flat.label = number
            flat.flags |= UInt8(CTelltaleNodeIsElement)
        } else {
            flat.label = plans.name(label)
        }
    }

    private func value(_ node: ValueNode, _ flat: inout CTelltaleNode) {
        switch (node.address, node.count) {
        case (nil, nil): break
        case (let address?, nil):
            guard address.hasPrefix("0x"), let word = UInt64(address.dropFirst(2), radix: 16)
            else { return fail() }
            flat.value = word
            flat.flags |= UInt8(CTelltaleNodeHasAddress)
        case (nil, let count?) where count >= 0:
            flat.value = UInt64(count)
            flat.flags |= UInt8(CTelltaleNodeHasCount)
        default: fail()
        }
    }
}
#endif
