#if TELLTALE_AGENT
import CTelltaleSystem
package import TelltaleProtocol
package import TelltaleRuntime

extension TreeWalk {
    /// Adds the elements of an array at some positions, as an array of `count` elements.
    package func add(_ positions: [Int], of count: Int, in storage: ArrayStorage, _ type: Any.Type)
        -> Bool
    {
        guard let start = storage.start, storage.count <= Int(UInt32.max),
            let plan = plans.plan(of: type)
        else { return false }
        if plan.pointee.kind == .unmade { make(plan) }
        guard plan.pointee.kind == .array else { return false }
        positions.map { UInt32(clamping: $0) }.withUnsafeBufferPointer {
            ctelltale_walk_chosen(state, plan, start, $0.baseAddress, $0.count, UInt64(count))
        }
        return true
    }

    /// Adds a note to the tree's root.
    package func remark(_ note: String) {
        ctelltale_tree_note(&state.pointee.tree, 0, plans.name(note))
    }

    /// Marks the tree's root as not fully examined, unless it is already marked as truncated.
    package func cut(_ cut: ValueNode.Cut) {
        guard ctelltale_tree_node(&state.pointee.tree, 0).cut == CTELLTALE_NO_NAME else { return }
        ctelltale_tree_cut(
            &state.pointee.tree, 0, plans.name(cut.reason), UInt64(clamping: cut.omitted ?? 0))
    }

    /// Runs a body during which only some properties of the elements are read. Each property is given by
    /// its path.
    package func wanting<Result>(_ fields: [[String]], _ body: () -> Result) -> Result {
        withWanted(fields, step: "") { wanted in
            withUnsafePointer(to: wanted) { pointer in
                state.pointee.wanted = pointer
                defer { state.pointee.wanted = nil }
                return body()
            }
        }
    }

    // Each level's table is on the stack, and is valid while the levels above it are used.
    private func withWanted<Result>(
        _ fields: [[String]], step: String, _ body: (CTelltaleWanted) -> Result
    ) -> Result {
        var names: [String] = []
        for field in fields {
            if let first = field.first, !names.contains(first) { names.append(first) }
        }
        var parts: [CTelltaleWanted] = []
        func fill(_ rest: ArraySlice<String>) -> Result {
            guard let name = rest.first else {
                return parts.withUnsafeBufferPointer {
                    body(
                        CTelltaleWanted(
                            step: plans.name(step), count: UInt32($0.count), parts: $0.baseAddress))
                }
            }
            let below = fields.filter { $0.first == name }.map { Array($0.dropFirst()) }
            return withWanted(below, step: name) { part in
                parts.append(part)
                return fill(rest.dropFirst())
            }
        }
        return fill(names[...])
    }
}
#endif
