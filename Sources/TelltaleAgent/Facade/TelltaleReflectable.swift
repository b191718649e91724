/// A type that controls how Telltale shows its values.
///
/// Every requirement has a default, so a type implements only those it wants to change. Names are those of
/// the stored properties, without the underscore of a property wrapper's storage.
///
/// ```swift
/// extension Account: TelltaleReflectable {
///     static var telltaleMasked: Set<String> { ["iban"] }
/// }
/// ```
public protocol TelltaleReflectable {
    /// Returns true if every value of the type is a secret, which is shown as `<masked>` wherever it
    /// occurs.
    ///
    /// False by default.
    static var telltaleIsSecret: Bool { get }

    /// The properties that are shown as `<masked>`, in addition to those whose names look like secrets.
    ///
    /// None by default.
    static var telltaleMasked: Set<String> { get }

    /// The properties that are shown although their names look like secrets, such as the `token` of a
    /// parser. This also covers the cases of an enum, and the names under which values of the type are
    /// registered.
    ///
    /// None by default; ``telltaleMasked`` and ``telltaleIsSecret`` take precedence.
    static var telltaleUnmasked: Set<String> { get }

    /// The properties that are shown, in this order; nil shows all.
    ///
    /// Nil by default. Other properties can neither be shown nor changed through the agent. The static
    /// requirements are the only host code that a read runs: occasionally for each type, on the object's
    /// owner or, for a snapshot, on an agent thread. They must return constants.
    static var telltaleFields: [String]? { get }
}

extension TelltaleReflectable {
    /// False: values of the type are shown.
    public static var telltaleIsSecret: Bool { false }
    /// None: only names that look like secrets are masked.
    public static var telltaleMasked: Set<String> { [] }
    /// None: every name that looks like a secret is masked.
    public static var telltaleUnmasked: Set<String> { [] }
    /// Nil: all stored properties are shown.
    public static var telltaleFields: [String]? { nil }
}
