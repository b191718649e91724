#if TELLTALE_AGENT
import TelltaleRuntime

/// Tells the values that can be released on any thread because their release runs no host code: values that
/// are not objects and contain none.
///
/// An owner access for each old value would cost the host a work item, and a change most of its time.
enum SilentRelease {
    /// Returns whether releasing a value runs only code of the standard library; false if that is not known.
    /// Takes 0.1 µs.
    static func isSure(of value: Any?) -> Bool {
        guard let value else { return true }
        return isSure(of: Swift.type(of: value))
    }

    fileprivate static func isSure(of type: Any.Type) -> Bool {
        TypeMetadata(type).isTrivial
            || (type as? any SilentlyReleased.Type)?.isReleasedSilently == true
    }
}

/// A type of the standard library whose release only releases the values stored in it.
private protocol SilentlyReleased {
    static var isReleasedSilently: Bool { get }
}

extension String: SilentlyReleased {
    // Without Objective-C a `String` never wraps an object of a string class of the host's.
    fileprivate static var isReleasedSilently: Bool { true }
}

extension Optional: SilentlyReleased {
    fileprivate static var isReleasedSilently: Bool { SilentRelease.isSure(of: Wrapped.self) }
}

extension Array: SilentlyReleased {
    fileprivate static var isReleasedSilently: Bool { SilentRelease.isSure(of: Element.self) }
}

extension Set: SilentlyReleased {
    fileprivate static var isReleasedSilently: Bool { SilentRelease.isSure(of: Element.self) }
}

extension Dictionary: SilentlyReleased {
    fileprivate static var isReleasedSilently: Bool {
        SilentRelease.isSure(of: Key.self) && SilentRelease.isSure(of: Value.self)
    }
}
#endif
