#if TELLTALE_COMPILED
import Glibc

/// What a command-line program of ours writes to the streams that it was started with.
///
/// Not for the agent: a full pipe makes the caller wait.
package enum StandardStreams {
    /// Writes a text and a line's end to standard error; an error there has nowhere to be told.
    package static func complain(_ text: String) {
        try? DescriptorWriter.write("\(text)\n".utf8, to: STDERR_FILENO, name: "standard error")
    }

    /// Writes a text and a line's end to standard output.
    ///
    /// - Parameter text: What is written.
    /// - Throws: `SystemError`, where a disk is full or a reader has gone.
    package static func show(_ text: String) throws(SystemError) {
        try DescriptorWriter.write("\(text)\n".utf8, to: STDOUT_FILENO, name: "standard output")
    }

    /// Ends the process (`exit(3)`, which runs what was given to `atexit`).
    package static func exit(_ status: Int32) -> Never {
        Glibc.exit(status)
    }
}
#endif
