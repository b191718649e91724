#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    /// What is learned of the runtimes when the agent starts, from objects of its own in known states.
    ///
    /// Each has its own thread, deadline and result; nothing waits for them here.
    enum Calibration {
        static func begin() {
            TaskLayout.begin()
            LocalStorageLayout.begin()
            DispatchLayout.begin()
        }
    }
#endif
