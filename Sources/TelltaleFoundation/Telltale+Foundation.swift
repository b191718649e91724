public import TelltaleAgent

extension Telltale {
    /// Has values of Foundation's types shown and typed as what they are: `Date`, `URL`, `UUID`,
    /// `Data` and `Decimal`.
    ///
    /// ```swift
    /// import TelltaleAgent
    /// import TelltaleFoundation
    ///
    /// Telltale.useFoundation()
    /// Telltale.start()
    /// ```
    ///
    /// Without it they are shown by their fields, as any other type. It may be called more than
    /// once and from any thread, and does nothing where the agent is not compiled in.
    public static func useFoundation() {
        #if DEBUG || TELLTALE_AGENT_IN_RELEASE
            for format in FoundationFormats.all { use(format) }
        #endif
    }
}
