#if TELLTALE_AGENT
import TelltaleProtocol

// What a walk may do that runs no code of the host's: then a thread may make it that is not there for that
// code, and knows that it comes back. But for the `deinit` of an object on the way that the host lets go at that
// very moment, outside of its owner.
extension StoredWalk {
    /// Why such a walk stops; nobody is told, since it is made again where that code may run.
    static let notSilent = CommandFailure(.internal, "code of the service's may run there")

    /// Stops a walk that is to be silent.
    func checkSilence() throws(CommandFailure) {
        if isSilent { throw Self.notSilent }
    }
}

extension StoredWalk.Place {
    /// Whether its value is made, compared, replaced and let go without code of the host's.
    var isSilent: Bool {
        switch self {
        case .value(_, let type): Self.isSilent(type)
        case .entry(_, let dictionary, _): Self.isSilent(dictionary.value)
        // What it leads to may be let go.
        case .reference: false
        }
    }

    private static func isSilent(_ type: Any.Type) -> Bool {
        if let optional = type as? any OptionalAccess.Type { return isSilent(optional.wrapped) }
        if let array = type as? any ArrayAccess.Type { return isSilent(array.element) }
        return type is any TypedScalar.Type
    }
}
#endif
