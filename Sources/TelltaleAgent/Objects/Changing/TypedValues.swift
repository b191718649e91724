#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The values that were made of what was typed, without their owner: to make one takes as long as what was
/// typed is long, and may run code of the host's.
///
/// The types that they are for are only known on the owner. So the first turn there asks for a value, which is
/// then made on a worker, and the next turn has it.
final class TypedValues: Sendable {
    /// A value by its number in what was typed, and its type.
    private struct Key: Hashable {
        let number: Int
        let type: ObjectIdentifier
    }

    private struct Made {
        let value: Result<HeldValue<Any>, CommandFailure>
        let misfit: Int?
        let decoded: [String]
    }

    /// What is to be made. It is handed from the owner to a worker, and used by one of them at a time.
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

    /// Texts of more bytes are long.
    private static let longestText = 1024
    /// So many values are made for one change at most, one after the other.
    private static let most = 256

    /// Whether a value is to be made.
    var isAsked: Bool { state.withLock { $0.wanted != nil } }

    // MARK: On the owner

    /// The value that was made, or a failure to end the turn with; nil where it is to be made here: it takes no
    /// time, or depends on what stands there.
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

    /// Whether a value is made in no time, and by the standard library alone.
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

    /// Whether what stands there decides what becomes of the rest.
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

    /// Makes the value that was asked for; false where none was, or too many were.
    func make(for owner: Owner, until deadline: MonotonicTime) -> Bool {
        let (wanted, count) = state.withLock { state in (state.wanted.take(), state.made.count) }
        guard var wanted, count < Self.most else { return false }
        let (misfit, decoded) = (LiteralValue.Misfit(), LiteralValue.DecodedTypes())
        wanted.making.misfit = misfit
        wanted.making.decodedTypes = decoded
        wanted.making.deadline = deadline
        let value: Result<HeldValue<Any>, CommandFailure>
        do throws(CommandFailure) {
            let made = try wanted.making.make(wanted.literal, as: wanted.type)
            let isSilent = SilentRelease.isSure(of: made)
            value = .success(HeldValue(made, of: owner, isSilent ? .anywhere : .toOwner))
        } catch {
            value = .failure(error)
        }
        let made = Made(value: value, misfit: misfit.number, decoded: decoded.names)
        state.withLock { $0.made[wanted.key] = made }
        return true
    }
}
#endif
