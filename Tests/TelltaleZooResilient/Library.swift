/// The declarations of a library with a stable interface: the size of its values, and the offsets
/// of their properties, are known to other modules only at run time.
open class ResilientBase {
    /// A property of a known type.
    public var title = "resilient"
    private var hidden = [1, 2]
    /// A property whose size others don't know.
    public var price = ResilientPrice(amount: 12, currency: "EUR")
    /// Makes one with all that it has.
    public init() {}
}

/// A struct to which properties may be added.
public struct ResilientPrice: Sendable {
    /// In the smallest unit.
    public var amount: Int
    /// By its code.
    public var currency: String
    private var scale: UInt8 = 2

    /// Makes one of an amount.
    public init(amount: Int, currency: String) {
        self.amount = amount
        self.currency = currency
    }
}

/// An enum to which cases may be added.
public enum ResilientState: Sendable {
    /// A case without a value.
    case idle
    /// A case with one whose size others don't know.
    case sold(to: String, ResilientPrice)
}

/// A generic class with a superclass of its own library.
open class ResilientPair<Value>: ResilientBase {
    /// The one.
    public var first: Value
    /// The other.
    public var second: Value

    /// Makes one of two values.
    public init(_ first: Value, _ second: Value) {
        self.first = first
        self.second = second
    }
}
