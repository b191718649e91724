#if TELLTALE_COMPILED
/// What stands behind a thread or an item that is Telltale's own, wherever one is named.
package enum AgentMark {
    /// ` (the agent's)`, or nothing.
    package static func of(_ isAgents: Bool?) -> String { isAgents == true ? " (the agent's)" : "" }
}
#endif
