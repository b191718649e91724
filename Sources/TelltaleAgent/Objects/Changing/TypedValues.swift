#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The values made from typed literals without the owner: the time to make them grows with the typed text,
/// and making them may run host code.
///
/// Their types are known only on the owner. Therefore the first owner access requests a value, which is then
/// made on a worker and used by the next access.
final class TypedValues: Sendable {
    /// The key of a value: its number among the typed values, and its type.
    private struct Key: Hashable {
        let number: Int
        let type: ObjectIdentifier
    }

    private struct Made {
        let value: Result<HeldValue<Any>, CommandFailure>
        let misfit: Int?
        let decoded: [String]
    }

    /// A request for a value. It is passed from the owner to a worker, and used by only one of them at a
    /// time.
    private struct Wanted: @unchecked Sendable {
        let key: Key
        let literal: Literal
        let type: Any.Type
        var making: LiteralValue
    }

    private struct State {
        var made: [Key: Made] = [:]
        var wanted: Wanted?
    }

    private let state = Locked(State())

    /// The maximum length in bytes of a text that is made on the owner.
    private static let longestText = 1024
    /// The maximum number of values made for one change, one after the other.
    private static let most = 256

    /// True if a value is requested.
    var isAsked: Bool { state.withLock { $0.wanted != nil } }

    // MARK: On the owner

    /// Returns the value that was made, or throws an error that ends the owner access. Returns `nil` if the
    /// value is to be made on the owner, because that takes no time or depends on the current value.
    func value(
        of literal: Literal, as type: Any.Type, current: Any?, _ making: LiteralValue
    ) throws(CommandFailure) -> Any? {
        guard !Self.isShort(literal, as: type),
            current == nil || !Self.takesCurrent(literal, type)
        else { return nil }
        let key = Key(number: making.number, type: ObjectIdentifier(type))
        guard let made = state.withLock({ $0.made[key] }) else {
            var copy = making
            copy.typed = nil
            let wanted = Wanted(key: key, literal: literal, type: type, making: copy)
            state.withLock { $0.wanted = wanted }
            throw CommandFailure(.internal, "\(making.subject) was not made of what was typed")
        }
        for name in made.decoded { making.decodedTypes?.take(named: name) }
        if let number = made.misfit { making.misfit?.take(number) }
        return try made.value.get().value
    }

    /// Returns whether a value is made quickly and by the standard library alone.
    private static func isShort(_ literal: Literal, as type: Any.Type) -> Bool {
        if case .string(let text) = literal, text.utf8.count > longestText { return false }
        guard literal.size <= 1 else { return false }
        var type = type
        while let optional = type as? any OptionalAccess.Type { type = optional.wrapped }
        let isStandard =
            type is any TypedScalar.Type || type is any ArrayAccess.Type
            || type is any SetAccess.Type || type is any DictionaryAccess.Type
        switch TypeMetadata(type).kind {
        case .structure: return isStandard
        default: return true
        }
    }

    /// Returns whether the current value affects the one to be made.
    private static func takesCurrent(_ literal: Literal, _ type: Any.Type) -> Bool {
        var type = type
        while let optional = type as? any OptionalAccess.Type { type = optional.wrapped }
        if ChangedType.isExistential(type) { return true }
        switch literal {
        case .tuple, .made, .dictionary:
            return TypeMetadata(type).kind == .structure && !(type is any DictionaryAccess.Type)
        default: return false
        }
    }

    // MARK: Off the owner

    /// Makes the requested value; false if none was requested, or too many were made.
    func make(for owner: Owner, until deadline: MonotonicTime) -> Bool {
        let (wanted, count) = state.withLock { state in (state.wanted.take(), state.made.count) }
        guard var wanted, count < Self.most else { return false }
        let (misfit, decoded) = (LiteralValue.Misfit(), LiteralValue.DecodedTypes())
        wanted.making.misfit = misfit
        wanted.making.decodedTypes = decoded
        wanted.making.deadline = deadline
        let value = Result { () throws(CommandFailure) in
            let made = try wanted.making.make(wanted.literal, as: wanted.type)
            let isSilent = SilentRelease.isSure(of: made)
            return HeldValue(made, of: owner, isSilent ? .anywhere : .toOwner)
        }
        let made = Made(value: value, misfit: misfit.number, decoded: decoded.names)
        state.withLock { $0.made[wanted.key] = made }
        return true
    }
}
#endif
