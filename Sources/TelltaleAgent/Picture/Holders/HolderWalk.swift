#if TELLTALE_AGENT
import TelltalePicture

/// The retaining paths of one target, as far as levels have been searched: each level continues where the
/// previous one has ended.
struct HolderWalk {
    let target: WaitTarget
    var isBegun = false
    var seen: Set<Int> = []
    /// The parts of paths in the order in which they were reached, and the index of the first one that has
    /// not been followed.
    var open: [Int] = []
    var next = 0
    /// Parts whose own retainers have not been searched for.
    var ends: [Int] = []
    private(set) var roots: [Holders.Root] = []
    private var queues: Set<UInt> = []
    /// The number of roots that have been checked for being alive.
    var askedRoots = 0
    /// Some of the parts, the nearest first.
    var nearest: [Int] = []
    var isWhole = true

    init(to target: WaitTarget) { self.target = target }

    /// Adds a root that no earlier part has given.
    mutating func add(_ root: Holders.Root) {
        if roots.count < HolderSearch.mostRoots {
            roots.append(root)
            return
        }
        isWhole = false
        // A root that will certainly end the wait is worth more than the last of many that may.
        if root.isCertain, let last = roots.indices.last, !roots[last].isCertain {
            roots[last] = root
        }
    }

    /// Adds the items of a queue, to which several parts may lead.
    mutating func add(itemsOf queue: UInt) {
        if queues.insert(queue).inserted { add(.item(queue: queue)) }
    }
}
#endif
