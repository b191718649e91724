#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

extension RootVariable {
    /// The root to read: the variable's value in place, or the object it refers to if the variable's type
    /// can't be decoded.
    ///
    /// - Returns: The root.
    /// - Throws: `.unsupported` if the variable has no value yet, or its type can't be decoded and it holds
    ///   no object.
    func readRoot() throws(CommandFailure) -> ReadRoot {
        switch state {
        case .made: break
        case .notYet:
            throw CommandFailure(
                .unsupported,
                "\(name) is not initialised yet (lazy)")
        case .beingMade:
            throw CommandFailure(.unsupported, "\(name) is being initialised right now")
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
    /// Calls `body` with the root to read. Returns `nil` if the object is gone, and for a closure.
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

/// Looks up the program's global and static variables by typed names.
struct RootSearch {
    let context: CommandContext

    /// The variable with this name, given with or without its module; `nil` if there is none.
    ///
    /// - Returns: The variable.
    /// - Throws: `.conflict` if several variables have the name.
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

    /// The variable names that start with `prefix`; a name includes its module if only the qualified name
    /// matches.
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
