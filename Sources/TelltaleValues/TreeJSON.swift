#if TELLTALE_AGENT
import Glibc

/// Writes a tree as the JSON of `ValueNode`, in pages that are given to a sink.
struct TreeJSON {
    private let tree: FlatTree
    private let names: [TypePlans.Name]
    private let numbers: [Int]
    private let sink: (UnsafeRawBufferPointer) -> Bool
    private var page: UnsafeMutableRawPointer?
    private var room = 0
    private var out: ByteCursor
    private var isDone = true
    /// The nodes whose parts are being written.
    private var open: [(place: Int, end: Int)] = []

    // Small enough to stay in a core's cache until it is sent.
    private static let pageSize = 64 << 10

    private init(
        _ tree: FlatTree, _ names: [TypePlans.Name], _ numbers: [Int],
        _ sink: @escaping (UnsafeRawBufferPointer) -> Bool
    ) {
        (self.tree, self.names, self.numbers, self.sink) = (tree, names, numbers, sink)
        room = Self.pageSize
        page = malloc(room)
        out = ByteCursor(page)
    }

    /// Returns false if the sink stopped the writing, or there is no memory.
    static func write(
        _ tree: FlatTree, _ names: [TypePlans.Name], _ numbers: [Int],
        _ sink: (UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        withoutActuallyEscaping(sink) { sink in
            var writer = TreeJSON(tree, names, numbers, sink)
            defer { free(writer.page) }
            writer.putNodes()
            return writer.isDone && writer.flush()
        }
    }

    // MARK: Pages

    private mutating func flush() -> Bool {
        guard let page, let end = out.end else { return false }
        let used = page.distance(to: end)
        out = ByteCursor(page)
        return used == 0 || sink(UnsafeRawBufferPointer(start: page, count: used))
    }

    /// Returns whether there is room for some more bytes; the page is sent before, if it is full.
    @inline(__always)
    private mutating func reserve(_ size: Int) -> Bool {
        guard let page, let end = out.end else { return false }
        return room &- page.distance(to: end) >= size || renew(size)
    }

    private mutating func renew(_ size: Int) -> Bool {
        guard flush() else { return false }
        guard size > room else { return true }
        free(page)
        page = malloc(size)
        room = size
        out = ByteCursor(page)
        return page != nil
    }

    // MARK: Nodes

    /// The number of a handle, which is known already if it is positive; 0 for none.
    @inline(__always)
    private func number(_ handle: Int32) -> Int {
        if handle > 0 { return Int(handle) }
        let index = -Int(handle) &- 1
        return index >= 0 && index < numbers.count ? max(0, numbers[index]) : 0
    }

    private mutating func putNodes() {
        var place = 0
        while place < tree.size {
            let node = tree.node(at: place)
            guard putNode(node) else {
                isDone = false
                return
            }
            if node.hasParts {
                open.append((place, node.end))
            } else {
                putEnd(node)
            }
            place = node.next
            while let last = open.last, last.end <= place {
                open.removeLast()
                let node = tree.node(at: last.place)
                guard reserve(endSize(node)) else {
                    isDone = false
                    return
                }
                putEnd(node)
            }
            if !open.isEmpty, !node.hasParts { out.put(UInt8(ascii: ",")) }
        }
    }

    /// The most that a node's end takes, with the comma after it.
    private func endSize(_ node: FlatNode) -> Int {
        80 &+ names[node.cut].json.count &+ names[node.note].json.count
    }

    /// Writes a node up to its first part, with room for its end.
    @inline(__always)
    private mutating func putNode(_ node: FlatNode) -> Bool {
        let type = names[node.type].json
        let isElement = node.flags.contains(.isElement)
        let label = names[isElement ? noName : node.label].json
        let isPlain = node.flags.contains(.isPlain)
        let textSize = isPlain ? node.text.count : 6 &* node.text.count
        guard
            reserve(256 &+ type.count &+ label.count &+ textSize &+ endSize(node))
        else { return false }
        out.put("{")
        if isElement {
            out.put("\"label\":\"[")
            out.put(natural: UInt64(node.label))
            out.put("]\",")
        } else if node.label != noName {
            out.put("\"label\":\"")
            out.put(label)
            out.put("\",")
        }
        out.put("\"type\":\"")
        out.put(type)
        out.put("\",\"kind\":\"")
        out.put(Self.word(node.kind))
        out.put("\"")
        if node.flags.contains(.hasText) {
            let isQuoted = node.flags.contains(.isQuoted)
            if isQuoted { out.put(",\"text\":\"\\\"") } else { out.put(",\"text\":\"") }
            if isPlain {
                out.put(node.text)
            } else {
                TextScan.json(node.text).withUnsafeBytes { out.put($0) }
            }
            if isQuoted { out.put("\\\"\"") } else { out.put("\"") }
        }
        putNumbers(node)
        out.put(",\"children\":[")
        return true
    }

    @inline(__always)
    private mutating func putNumbers(_ node: FlatNode) {
        if node.flags.contains(.hasAddress) {
            out.put(",\"address\":\"")
            out.put(address: node.value)
            out.put("\"")
        }
        let handle = number(node.handle)
        if handle > 0 {
            out.put(",\"handle\":")
            out.put(natural: UInt64(handle))
        }
        if node.flags.contains(.hasCount) {
            out.put(",\"count\":")
            out.put(natural: node.value)
        }
    }

    /// Writes the text after a node's parts.
    @inline(__always)
    private mutating func putEnd(_ node: FlatNode) {
        out.put("]")
        if node.cut != noName {
            out.put(",\"cut\":{\"reason\":\"")
            out.put(names[node.cut].json)
            out.put("\"")
            if node.flags.contains(.hasOmitted) {
                out.put(",\"omitted\":")
                out.put(natural: node.omitted)
            }
            out.put("}")
        }
        if node.note != noName {
            out.put(",\"note\":\"")
            out.put(names[node.note].json)
            out.put("\"")
        }
        out.put("}")
    }

    /// The wire form of a kind.
    @inline(__always)
    private static func word(_ kind: NodeKind) -> StaticString {
        switch kind {
        case .scalar: "scalar"
        case .string: "string"
        case .object: "object"
        case .structure: "struct"
        case .enumeration: "enum"
        case .none: "nil"
        case .tuple: "tuple"
        case .array: "array"
        case .set: "set"
        case .dictionary: "dictionary"
        case .opaque: "opaque"
        case .reference: "reference"
        case .masked: "masked"
        case .unavailable: "unavailable"
        }
    }
}
#endif
