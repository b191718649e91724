/// The entry points of the live-introspection agent in this process.
///
/// One call of `Telltale.start()` is the whole integration; objects are shown once they are registered. The
/// agent exists in builds that define `DEBUG`, or that enable the package's trait `AgentInRelease`. In
/// other builds every call here compiles to nothing: its arguments are not evaluated (a task that is only
/// created in an argument never runs), no closure is called, signal handlers stay as they are, and a token
/// ends nothing.
public enum Telltale {}

extension Telltale {
    /// Shows and parses the values of a type as text instead of by their fields.
    ///
    /// May be called before or after ``start(_:)``, from any thread; does nothing if the agent is not
    /// compiled in. A second format for a type replaces the first; beyond 256 types further formats are
    /// ignored.
    ///
    /// - Parameter format: The format.
    public static func use(_ format: ValueFormat) {
        #if TELLTALE_AGENT
        ValueFormats.register(format)
        #endif
    }
}
