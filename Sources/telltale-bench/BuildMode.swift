/// How this program was built: figures of different modes are not to be compared.
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

    /// Whether the agent is compiled in.
    static var hasAgent: Bool {
        #if TELLTALE_AGENT
        true
        #else
        false
        #endif
    }
}
