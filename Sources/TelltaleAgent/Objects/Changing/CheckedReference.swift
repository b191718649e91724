#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

/// Checks a value of the host's before its references are retained.
enum CheckedReference {
    /// Enums of the host's own are not looked into.
    ///
    /// - Throws: `.unsupported` if the type is a class, an existential, a string or a collection, or a struct or
    ///   a tuple that holds one, and its words don't refer to an object or to a type.
    static func check(
        _ declared: Any.Type, at address: UnsafeMutableRawPointer, _ rendered: String
    ) throws(CommandFailure) {
        guard let type = ChangedType.payload(of: declared, at: address) else { return }
        let place = UInt(bitPattern: address)
        let isCollection =
            type is any ArrayAccess.Type || type is any DictionaryAccess.Type
            || type is any SetAccess.Type
        guard
            isCollection
                ? ReferenceCheck.isObject(at: place) : ReferenceCheck.isSound(type, at: place)
        else {
            throw CommandFailure(
                .unsupported,
                "\(rendered) is not readable: it does not refer to \(ChangedType.withArticle(type))",
                hint: "the service has damaged it, or is using it after its end")
        }
    }
}
#endif
