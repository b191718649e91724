/// A type that decides what Telltale shows of its values.
///
/// Every requirement has a default, so that a type states only what it wants otherwise. Names are
/// those of the stored properties, without the underscore of a property wrapper's storage.
///
/// ```swift
/// extension Account: TelltaleReflectable {
///     static var telltaleMasked: Set<String> { ["iban"] }
/// }
/// ```
public protocol TelltaleReflectable {
    /// Whether every value of the type is a secret: it is shown as `<masked>` wherever it stands.
    ///
    /// False by default.
    static var telltaleIsSecret: Bool { get }

    /// The properties that are shown as `<masked>`, besides those whose names look like secrets.
    ///
    /// None by default.
    static var telltaleMasked: Set<String> { get }

    /// The properties that are shown although their names look like secrets: the `token` of a
    /// parser. Also the cases of an enum, and the names under which values of the type are
    /// registered.
    ///
    /// None by default; ``telltaleMasked`` and ``telltaleIsSecret`` are stronger.
    static var telltaleUnmasked: Set<String> { get }

    /// The properties that are shown, in this order; nil for all.
    ///
    /// Nil by default. The others can neither be shown nor changed through the agent. The static
    /// requirements are the only code of the host that a reading runs, once in a while for a type,
    /// on the object's owner or, for a snapshot, on a thread of the agent's: they return constants.
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
