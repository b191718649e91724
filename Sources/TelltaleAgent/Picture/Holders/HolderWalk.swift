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
    private var known: Set<Holders.Root> = []
    /// How many of the roots have been asked whether they live.
    var askedRoots = 0
    /// Some of the parts, the nearest first.
    var nearest: [Int] = []
    var isWhole = true

    init(to target: WaitTarget) { self.target = target }

    mutating func add(_ root: Holders.Root) {
        guard known.insert(root).inserted else { return }
        if roots.count < HolderSearch.mostRoots { roots.append(root) } else { isWhole = false }
    }
}
#endif
