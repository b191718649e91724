#if TELLTALE_AGENT
import Dispatch
import TelltaleProtocol

/// What the host calls its queues, tasks and operations, and what its errors say, as it is shown: such a
/// label often is the URL that is fetched.
enum HostLabel {
    /// A label without the secrets of a URL in it.
    static func shown(_ label: String) -> String { SecretURL.masking(label) ?? label }
}

extension DispatchQueue {
    /// The label as it is shown.
    var shownLabel: String { HostLabel.shown(label) }
}
#endif
