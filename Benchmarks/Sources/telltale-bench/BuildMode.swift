/// The build mode of this program: figures of different modes must not be compared.
enum BuildMode: String {
    case debug
    case release

    static var current: BuildMode {
        #if DEBUG
        .debug
        #else
        .release
        #endif
    }

    /// Indicates that the agent is compiled in.
    static var hasAgent: Bool {
        #if TELLTALE_AGENT
        true
        #else
        false
        #endif
    }
}
