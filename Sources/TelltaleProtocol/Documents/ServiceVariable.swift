#if TELLTALE_COMPILED
/// An environment variable that overrides a service's configuration. The agent applies them, and the manual
/// page and `Docs/Configuration.md` list them.
package struct ServiceVariable: Sendable {
    package let name: String
    /// The accepted values.
    package let values: String
    package let effect: String

    package static let all: [ServiceVariable] = [
        .init(name: "TELLTALE", values: "0 or 1", effect: "0: the agent does not start"),
        .init(
            name: "TELLTALE_NAME", values: "a name",
            effect: "the name by which clients call the service; default: that of the executable"),
        .init(
            name: "TELLTALE_DIRECTORY",
            values: "an absolute path",
            effect: """
                the only directory for the socket; default: `$XDG_RUNTIME_DIR/telltale`, else \
                `/tmp/telltale-UID`
                """),
        .init(
            name: "TELLTALE_MODE",
            values: "read-write or read-only",
            effect: """
                whether `set`, `call` and `undo` work; default: read-write in a debug build; \
                read-only if misspelt
                """),
        .init(
            name: "TELLTALE_DENY",
            values: "rules, such as call,set photos.*",
            effect: """
                what is refused of what the mode allows: commands, or commands with a path in \
                which `*` stands for any characters; read-only if one is misspelt
                """),
        .init(
            name: "TELLTALE_OUTPUT",
            values: "stderr or a file with {pid} {name} {id} {time}",
            effect: """
                where a signal's dump goes; of the files of a template, the last ten of the \
                service's own are kept
                """),
        .init(
            name: "TELLTALE_AUDIT",
            values: "off, stderr or a file",
            effect: """
                the log of changes, with old and new values; default: stderr. An existing file \
                keeps its mode, and is refused if others may write to it
                """),
        .init(
            name: "TELLTALE_DUMP_SIGNAL", values: "a signal (USR1, 10, RTMIN+3) or none",
            effect: "the signal for a dump; default: USR1"),
        .init(
            name: "TELLTALE_STATUS_SIGNAL", values: "a signal or none",
            effect: "the signal for a status line; default: USR2"),
        .init(
            name: "TELLTALE_PAUSES", values: "0 or 1",
            effect: "0: no report after a stop, and no heartbeat"),
        .init(
            name: "TELLTALE_HEARTBEAT", values: "milliseconds, 10 to 10000, or 0 for none",
            effect: "how precisely the length of a stop is known; default: 500"),
        .init(
            name: "TELLTALE_HANG_WATCH", values: "milliseconds, 100 to 86400000, or 0 for none",
            effect: "how long an owner may make no progress before a dump is written; default: 0"),
        .init(
            name: "TELLTALE_HISTORY", values: "milliseconds, 100 to 3600000, or 0 for none",
            effect: "the time between two samples that show `doctor` what grows; default: 10000"),
        .init(
            name: "TELLTALE_STUCK_AFTER",
            values: "milliseconds, one number or three with commas",
            effect: """
                how long until `stuck` reports a wait: one that nothing could end; one for \
                input with others behind it; one with a request under way; default: \
                1000,10000,30000
                """),
        .init(
            name: "TELLTALE_SIGNAL_DELIVERY", values: "handler or dispatchSource",
            effect: "how signals reach the agent on Linux; default: handler"),
        .init(
            name: "TELLTALE_OWNER_DEADLINE", values: "milliseconds, 10 to 60000",
            effect: "how long a queue, an actor or a lock may take; default: 1000"),
        .init(
            name: "TELLTALE_START_LINE", values: "0 or 1",
            effect: "0: the service does not print the line on stderr that says how to attach"),
        .init(
            name: "TELLTALE_MASK", values: "property names, separated by commas",
            effect: "masked besides the usual names"),
    ]

    /// Returns the variable of a name.
    package static func named(_ name: String) -> ServiceVariable? {
        all.first { $0.name == name }
    }
}
#endif
