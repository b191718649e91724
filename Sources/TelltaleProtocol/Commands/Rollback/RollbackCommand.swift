#if TELLTALE_COMPILED
/// `rollback`: forgets the changes that were collected.
package enum RollbackCommand: Command {
    package typealias Answer = ControlAnswer

    package static let description = CommandDescription(
        "rollback", "discard the changes collected since `begin`",
        detail: "None of them was made.", effect: .changes)
}
#endif
