#if TELLTALE_COMPILED
/// The suffix of Telltale's own threads and items, wherever one is named.
package enum AgentMark {
    /// ` (the agent's)`, or nothing.
    package static func of(_ isAgents: Bool?) -> String { isAgents == true ? " (the agent's)" : "" }
}
#endif
