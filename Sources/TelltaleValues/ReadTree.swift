#if TELLTALE_AGENT
import CTelltaleSystem
import Glibc
package import TelltaleProtocol

/// The result of a walk: the tree of a value in flat form, and the names in it.
///
/// Immutable after its objects have their numbers, which happens before the tree is shared.
package final class ReadTree: PackedValue, @unchecked Sendable {
    private let pointer: UnsafeMutablePointer<CTelltaleTree>
    let plans: TypePlans
    private let pool: PlanPool

    init(_ tree: CTelltaleTree, plans: TypePlans, pool: PlanPool) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: tree)
        self.plans = plans
        self.pool = pool
    }

    deinit {
        ctelltale_tree_free(pointer)
        pointer.deallocate()
        pool.giveBack(plans)
    }

    var tree: UnsafePointer<CTelltaleTree> { UnsafePointer(pointer) }

    /// Assigns numbers to its objects, in the order in which they were read, by their addresses, paths and
    /// types. Must be called only once, before the tree is shared.
    func number(_ body: (UInt, [UInt8], String) -> Int) {
        let count = tree.pointee.place_count
        guard count > 0, tree.pointee.numbers == nil, let places = tree.pointee.places,
            let numbers = calloc(count, MemoryLayout<Int64>.size)?
                .assumingMemoryBound(to: Int64.self)
        else { return }
        pointer.pointee.numbers = numbers
        var type = (name: CTELLTALE_NO_NAME, text: "")
        for index in 0..<count {
            let place = places[index]
            if place.type != type.name { type = (place.type, plans.text(place.type)) }
            let path = UnsafeRawBufferPointer(
                start: tree.pointee.paths?.advanced(by: Int(place.path)),
                count: Int(place.path_size))
            numbers[index] = Int64(body(place.address, Array(path), type.text))
        }
    }

    // MARK: Nodes

    package var node: ValueNode { node(at: 0, withParts: true) }

    package var head: ValueNode {
        var head = node(at: 0, withParts: false)
        let first = flat(at: 0)
        if first.end > first.next { head.children = [ValueNode(type: "", kind: .none)] }
        return head
    }

    private static let kinds = Dictionary(
        uniqueKeysWithValues: TreeFilling.kinds.map { ($1.rawValue, $0) })

    /// A node as stored in the tree. Its text is valid only during the lifetime of the tree.
    func flat(at place: Int) -> CTelltaleNode {
        ctelltale_tree_node(tree, UInt32(truncatingIfNeeded: place))
    }

    package func node(at place: Int, withParts: Bool) -> ValueNode {
        guard place < tree.pointee.size else { return ValueNode(type: "", kind: .unavailable) }
        let flat = flat(at: place)
        func has(_ flag: Int) -> Bool { flat.flags & UInt8(flag) != 0 }
        var node = ValueNode(
            label: has(CTelltaleNodeIsElement) ? "[\(flat.label)]" : name(flat.label),
            type: plans.text(flat.type), kind: Self.kinds[flat.kind] ?? .opaque,
            text: has(CTelltaleNodeHasText) ? text(of: flat) : nil,
            address: has(CTelltaleNodeHasAddress) ? Quantity.address(UInt(flat.value)) : nil,
            handle: handle(flat.handle),
            count: has(CTelltaleNodeHasCount) ? Int(clamping: flat.value) : nil,
            cut: name(flat.cut).map {
                .init(
                    reason: $0,
                    omitted: has(CTelltaleNodeHasOmitted) ? Int(clamping: flat.omitted) : nil)
            }, note: name(flat.note))
        guard withParts else { return node }
        var next = Int(flat.next)
        while next < Int(flat.end) {
            node.children.append(self.node(at: next, withParts: true))
            next = Int(self.flat(at: next).end)
        }
        return node
    }

    private func name(_ name: CTelltaleName) -> String? {
        name == CTELLTALE_NO_NAME ? nil : plans.text(name)
    }

    /// A node's text, without its quotes.
    func bytes(of node: CTelltaleNode) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: node.text, count: Int(node.text_size))
    }

    func text(of node: CTelltaleNode) -> String {
        let text = String(decoding: bytes(of: node), as: UTF8.self)
        return node.flags & UInt8(CTelltaleNodeIsQuoted) != 0 ? "\"" + text + "\"" : text
    }

    private func handle(_ handle: Int32) -> Int? {
        guard handle < 0, let numbers = tree.pointee.numbers,
            -Int(handle) <= tree.pointee.place_count
        else {
            return nil
        }
        let number = numbers[-Int(handle) - 1]
        return number == 0 ? nil : Int(number)
    }

    // MARK: Bytes

    // The other parts of a node are some numbers, and are shorter than 256 bytes.
    package var longestJSON: Int {
        Int(tree.pointee.count) * (256 + 4 * ctelltale_names_longest(plans.plans)) + 6
            * Int(tree.pointee.text_size)
    }

    private typealias Writing = (
        UnsafePointer<CTelltaleTree>, OpaquePointer, CTelltaleSink, UnsafeMutableRawPointer?
    ) -> Bool

    private func write(_ writing: Writing, _ sink: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        withoutActuallyEscaping(sink) { sink in
            var sink: Sink = Sink(take: sink)
            return withUnsafeMutablePointer(to: &sink) { sink in
                writing(
                    tree, plans.plans,
                    { context, bytes, size in
                        guard let context else { return false }
                        return context.assumingMemoryBound(to: Sink.self).pointee.take(
                            UnsafeRawBufferPointer(start: bytes, count: size))
                    }, sink)
            }
        }
    }

    private struct Sink { let take: (UnsafeRawBufferPointer) -> Bool }

    package func writeJSON(_ sink: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        write(ctelltale_tree_json, sink)
    }
}
#endif
