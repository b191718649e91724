#if TELLTALE_AGENT
import TelltaleRuntime

/// The type of a value that is not copied to look for its methods: methods are called only on trivial (POD)
/// values and on objects, and copying retains whatever the value's words refer to. If the host has damaged
/// them, a retain ends the process.
struct UncopiedValue {
    /// Nil for an optional that is `nil`.
    let type: Any.Type?

    /// Looks through optionals at an address; nil for a type whose values are copied.
    init?(_ declared: Any.Type, at address: UnsafeMutableRawPointer) {
        guard let type = ChangedType.payload(of: declared, at: address) else {
            self.type = nil
            return
        }
        let metadata = TypeMetadata(type)
        switch metadata.kind {
        case .structure, .enumeration, .tuple:
            guard !metadata.isTrivial else { return nil }
            self.type = type
        default: return nil
        }
    }
}
#endif
