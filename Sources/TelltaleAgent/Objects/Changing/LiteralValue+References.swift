#if TELLTALE_AGENT
import TelltaleProtocol

/// What stands at the paths that were typed as values: found on their owners before the change, and let go
/// there.
struct TypedReferences: Sendable {
    /// What came of each path, by its text.
    var found: [String: Result<HeldValue<Any>, CommandFailure>] = [:]
    /// Set where one was wanted that nobody has looked for: a word can also be a text without its quotes.
    let isAskedFor = DoneFlag()
}

extension LiteralValue {
    /// What stands at the path that was typed; nil where something else was.
    func referred(_ literal: Literal, as type: Any.Type) throws(CommandFailure) -> Any? {
        guard case .path(let path) = literal, caseName(literal, of: unwrapped(type)) == nil else {
            return nil
        }
        let value: Any
        switch references.found[path.description] {
        case .success(let held):
            guard let found = held.value else { return nil }
            value = found
        case .failure(let failure):
            // One word that nothing has for a name is a text without its quotes.
            if path.components.isEmpty, case .name = path.root, failure.code == .notFound {
                return nil
            }
            throw failure
        case nil:
            references.isAskedFor.set()
            return nil
        }
        guard TypedMemory.isValue(value, of: type) else {
            throw CommandFailure(
                .wrongType,
                "\(subject) is \(ChangedType.withArticle(type)); \(path) is "
                    + ChangedType.withArticle(Swift.type(of: value)))
        }
        return value
    }

    private func unwrapped(_ type: Any.Type) -> Any.Type {
        (type as? any OptionalAccess.Type).map { unwrapped($0.wrapped) } ?? type
    }
}
#endif
