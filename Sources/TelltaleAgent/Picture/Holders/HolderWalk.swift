#if TELLTALE_AGENT
import TelltalePicture

/// The ways back from one target, as far as levels have been searched: each level goes on where the one
/// before has ended.
struct HolderWalk {
    let target: WaitTarget
    var isBegun = false
    var seen: Set<Int> = []
    /// The parts of ways in the order in which they were come to, and the first that was not gone on from.
    var open: [Int] = []
    var next = 0
    /// Parts whose own holders have not been searched for.
    var ends: [Int] = []
    private(set) var roots: [Holders.Root] = []
    private var queues: Set<UInt> = []
    /// How many of the roots have been asked whether they live.
    var askedRoots = 0
    /// Some of the parts, the nearest first.
    var nearest: [Int] = []
    var isWhole = true

    init(to target: WaitTarget) { self.target = target }

    /// Adds where a way begins, which no earlier part has given.
    mutating func add(_ root: Holders.Root) {
        if roots.count < HolderSearch.mostRoots {
            roots.append(root)
            return
        }
        isWhole = false
        // One that will end the wait says more than the last of many that may.
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
