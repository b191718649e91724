#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension RootVariable {
    /// Where it is read: the value in place, or the object of one whose type is not understood.
    ///
    /// - Returns: The place.
    /// - Throws: `.unsupported` where it has no value yet, or nothing is known of it.
    func readRoot() throws(CommandFailure) -> ReadRoot {
        switch state {
        case .made: break
        case .notYet:
            throw CommandFailure(
                .unsupported,
                "\(name) has no value yet: it is lazy, and the program has not used it")
        case .beingMade:
            throw CommandFailure(.unsupported, "\(name) has no value yet: it is just being made")
        }
        if let type { return .variable(at: address, type) }
        if let word = GuardedMemory.load(UInt.self, at: address),
            MetadataCheck.classOfObject(at: word, in: .process) != nil
        {
            return .object(at: word)
        }
        throw CommandFailure(.unsupported, "the type of \(name) is not understood: \(typeName)")
    }
}

extension RegistryEntry {
    /// Calls a body with where it is read; nil where it is gone, and of a closure.
    func withRoot<Result>(
        _ body: (ReadRoot) throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result? {
        switch target {
        case .object(let reference):
            return try reference.withAddress { address throws(CommandFailure) in
                try body(.object(at: address))
            }
        case .variable(let root): return try body(try root.readRoot())
        case .closure: return nil
        }
    }
}

/// Finds variables of the program's by the names that are typed.
struct RootSearch {
    let context: CommandContext

    /// The variable of a name, with its module or without; nil where there is none.
    ///
    /// - Returns: The variable.
    /// - Throws: `.conflict` where several have the name.
    func variable(_ name: String) throws(CommandFailure) -> RootVariable? {
        let fitting = all.filter { $0.name == name || "\($0.module).\($0.name)" == name }
        guard fitting.count > 1 else { return fitting.first }
        let exact = fitting.filter { "\($0.module).\($0.name)" == name }
        if exact.count == 1 { return exact.first }
        throw CommandFailure(
            .conflict, "\(fitting.count) variables are called \(name.escaped(limit: 100))",
            hint: Set(fitting.map { "\($0.module).\($0.name)" }).count == fitting.count
                ? "one of \(fitting.map { "\($0.module).\($0.name)" }.joined(separator: ", "))"
                : "they are private to their files and can't be told apart by name")
    }

    /// The names that begin as what is typed, with their modules where that was begun with.
    func names(beginning prefix: String) -> [String] {
        guard !prefix.isEmpty else { return [] }
        return all.compactMap { root in
            if root.name.hasPrefix(prefix) { return root.name }
            let full = "\(root.module).\(root.name)"
            return full.hasPrefix(prefix) ? full : nil
        }
    }

    private var all: [RootVariable] {
        context.agent.roots.roots(context.agent.symbols, until: context.answerDeadline)?.variables
            ?? []
    }
}
#endif
