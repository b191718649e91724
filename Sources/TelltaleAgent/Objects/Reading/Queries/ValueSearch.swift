#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem
import TelltaleValues

/// Searches a tree that was read for names and values containing a word. Does not run on an owner.
struct ValueSearch {
    private let word: String
    private let folded: FoldedWord
    private let root: String
    private let most: Int
    private let deadline: MonotonicTime

    init(word: String, root: String, most: Int, until deadline: MonotonicTime) {
        self.word = word
        self.deadline = deadline
        folded = FoldedWord(word)
        self.root = root
        self.most = most
    }

    // MARK: Packed trees

    func matches(in tree: ReadTree) -> ValueMatches {
        var matches = ValueMatches(word: word)
        matches.looked = tree.search(for: folded, until: deadline) { index, above in
            matches.total += 1
            guard matches.found.count < most else { return }
            var path = root
            for node in above where node != 0 && node != index {
                path = step(path, tree.node(at: node, withParts: false).label)
            }
            // The root's name is the requested text.
            let hit = tree.node(at: index, withParts: false)
            matches.found.append(found(hit, at: index == 0 ? nil : path))
        }
        matches.notes = Self.notes(of: tree.cuts)
        if matches.looked < tree.count {
            matches.notes.append(Self.unseen(tree.count - matches.looked))
        }
        return matches
    }

    // MARK: Trees of nodes

    func matches(in node: ValueNode) -> ValueMatches {
        var matches = ValueMatches(word: word)
        var cuts: [String: Int] = [:]
        // An explicit stack, the first child on top.
        var steps: [(node: ValueNode, path: String?)] = [(node, nil)]
        while let (node, path) = steps.popLast() {
            guard MonotonicTime.now < deadline else {
                steps.append((node, path))
                break
            }
            matches.looked += 1
            if let cut = node.cut { cuts[cut.reason, default: 0] += 1 }
            let label = path == nil ? nil : node.label
            let isValue = node.kind != .masked
            if isValue && has(node.text ?? "") || has(label ?? "") {
                matches.total += 1
                if matches.found.count < most { matches.found.append(found(node, at: path)) }
            }
            let here = path.map { step($0, node.label) } ?? root
            for child in node.children.reversed() { steps.append((child, here)) }
        }
        matches.notes = Self.notes(of: cuts)
        if !steps.isEmpty { matches.notes.append(Self.unseen(nil)) }
        return matches
    }

    private func has(_ text: String) -> Bool { folded.isIn(text) }

    // MARK: Results

    /// A node with its whole path in place of its name, and without its parts.
    private func found(_ node: ValueNode, at above: String?) -> ValueNode {
        var node = node
        node.label = above.map { step($0, node.label) } ?? root
        node.children = []
        if node.kind != .string { node.cut = nil }
        return node
    }

    private func step(_ path: String, _ label: String?) -> String {
        guard let label else { return path }
        if label.hasPrefix("[") { return path + label }
        return path + ValuePath.Component.property(NodeMaker.step(label)).description
    }

    private static func unseen(_ count: Int?) -> String {
        let values = count.map { Quantity.count($0, "value", "values") } ?? "further values"
        return "not looked through: \(values), for the deadline"
    }

    private static func notes(of cuts: [String: Int]) -> [String] {
        cuts.sorted { $0.key < $1.key }.map { reason, count in
            let places = Quantity.count(count, "value", "values")
            return switch reason {
            case "depth": "not looked into: \(places) deeper than --depth"
            case "elements": "not looked through: further elements of \(places)"
            case "bytes": "not looked through to the end: \(places), for their size"
            default: "not looked through to the end: \(places), for the deadline"
            }
        }
    }
}
#endif
