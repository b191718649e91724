#if TELLTALE_AGENT
/// Which values can be let go anywhere, since no code of the host's runs then: what is neither an object nor
/// has one in it.
///
/// A turn on the owner for each old value would cost the host a work item, and a change most of its time.
enum SilentRelease {
    /// Whether letting a value go runs no code but the standard library's; no answer says no. 0.1 µs.
    static func isSure(of value: Any?) -> Bool {
        guard let value else { return true }
        return isSure(of: Swift.type(of: value))
    }

    fileprivate static func isSure(of type: Any.Type) -> Bool {
        TypeMetadata(type).isTrivial
            || (type as? any SilentlyReleased.Type)?.isReleasedSilently == true
    }
}

/// A type of the standard library that has no more to let go than what is put into it.
private protocol SilentlyReleased {
    static var isReleasedSilently: Bool { get }
}

extension String: SilentlyReleased {
    // Without Objective-C it never is an object of the host's own class of strings.
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
