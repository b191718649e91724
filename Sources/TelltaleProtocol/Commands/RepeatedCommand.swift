#if TELLTALE_COMPILED
/// A command that a client sends repeatedly, and whose changes it shows.
///
/// The agent answers each time as if it were the first: nothing keeps running in a service when its
/// client ends.
package protocol RepeatedCommand: Command {
    /// Returns how a request is repeated; `nil` for a request that is sent once.
    static func repetition(of parameters: JSONValue) -> Repetition?
}

package struct Repetition: Sendable, Equatable {
    /// From the beginning of one look to that of the next.
    package var every: Duration
    /// The number of rounds; `nil` for as many as the time allows.
    package var count: Int?
    /// The line of the command that is asked in its place; nil for itself.
    package var command: String?
    /// The parameters of all rounds but the first; `nil` for the same ones.
    package var later: JSONValue?
}
#endif
