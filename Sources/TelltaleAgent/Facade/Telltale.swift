/// Looks into this process from outside while it runs.
///
/// `Telltale.start()` in one place is the whole integration; objects are shown once they are
/// registered. The agent exists where `DEBUG` is defined, or where the package's trait
/// `AgentInRelease` asks for it. Elsewhere every call here compiles to nothing: what it is given is not
/// evaluated (a task that is only made there never runs), no closure is called, a signal stays as it is,
/// and a token ends nothing.
public enum Telltale {}

extension Telltale {
    /// Has the values of a type shown and typed as a text instead of by their fields.
    ///
    /// To be called before or after ``start(_:)``, from any thread; nothing where the agent is not
    /// compiled in. A second format for a type takes the place of the first; beyond 256 types
    /// further ones are left out.
    ///
    /// - Parameter format: The format.
    public static func use(_ format: ValueFormat) {
        #if TELLTALE_AGENT
        ValueFormats.register(format)
        #endif
    }
}
