/// The dumps on a service's standard error.
struct DumpedText {
    var text: String

    /// The beginning of each dump.
    var beginnings: [String] { text.matches(of: /\ BEGIN (\S+)/).map { String($0.1) } }

    /// The signals that the dumps say they answer: one each, and those that were merged into it.
    var answered: Int {
        text.matches(of: /\ by SIGUSR1 .*; merged=([0-9]+)/).reduce(0) { $0 + 1 + (Int($1.1) ?? 0) }
    }
}
