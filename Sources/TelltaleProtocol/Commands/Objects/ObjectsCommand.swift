#if TELLTALE_COMPILED
/// `objects`: what is registered.
package enum ObjectsCommand: Command {
    package typealias Answer = ObjectsAnswer

    package static let description = CommandDescription(
        "objects", "registered objects: name, type, owner, state",
        detail: """
            Every object that the service has registered, alive or gone, with the queue, actor or
            lock that guards it.
            """)
}
#endif
