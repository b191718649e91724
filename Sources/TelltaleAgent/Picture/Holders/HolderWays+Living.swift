#if TELLTALE_AGENT
import TelltalePicture

extension HolderWays {
    /// Whether somebody certainly may go on by itself. Of others it is for those to say who judge the waits.
    func lives(_ root: Holders.Root, others: Bool) -> Bool {
        switch root {
        case .timer, .source: true
        case .global: others
        case .thread(let id): others && livingThreads.contains(id)
        case .task(let address):
            others
                && tasks[address].map { $0.state == .running || $0.waitsFor == .timer } ?? false
        case .item, .object: false
        }
    }
}
#endif
