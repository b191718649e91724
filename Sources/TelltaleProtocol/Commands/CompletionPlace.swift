#if TELLTALE_COMPILED
/// What can stand at a place of a half-typed line.
package enum CompletionPlace: Equatable {
    case nothing
    /// The name of a file, where the client runs.
    case file
    case words([String])
    /// The name of a command.
    case command
    /// A path into the registered objects.
    case path
    /// A name that the agent knows, of queues or threads; or one of the words.
    case name(Named, or: [String] = [])

    /// What the agent knows names of; on the wire in `complete`.
    package enum Named: String {
        case queue, thread
    }
}
#endif
