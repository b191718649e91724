#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

/// The values at the paths that were typed as values: loaded on their owners before the change, and released
/// there.
struct TypedReferences: Sendable {
    /// The result of loading each path, by its text.
    var found: [String: Result<HeldValue<Any>, CommandFailure>] = [:]
    /// Set if a path's value was needed but not loaded: a word can also be a text without its quotes.
    let isAskedFor = DoneFlag()
}

extension LiteralValue {
    /// The value at the typed path; `nil` if the literal is not a path.
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
            // A single word that is not the name of anything is a text without its quotes.
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
