#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Makes values from typed literals, for a given type.
///
/// The only host code that runs is the `init(from:)` of a struct that is `Decodable` and not typed by its
/// properties, the `init(rawValue:)` of a struct that is not `Decodable`, and the hashing of keys and set
/// elements. With ``TypedValues`` this code runs on a worker; values that are quick to make, or depend on the
/// current value, are made on the owner.
struct LiteralValue {
    /// The name of the value's target, as failures show it: `photos.prompt`.
    var subject: String
    /// True if the typed text must not be repeated.
    var isMasked: Bool
    /// The rules for secrets among the parts of the typed value.
    let masks: MaskPolicy
    /// The values at the typed paths.
    var references = TypedReferences()
    /// The values made ahead without the owner; `nil` while those are being made, and if there are none.
    var typed: TypedValues?
    /// The number of this value among the typed values.
    var number = 0
    /// The number of the value that did not fit.
    var misfit: Misfit?
    /// The types whose `init(from:)` ran.
    var decodedTypes: DecodedTypes?
    /// The time at which the making is given up.
    var deadline: MonotonicTime?

    /// The names of the service's own types whose `init(from:)` was called for a value.
    final class DecodedTypes {
        private(set) var names: [String] = []

        func take(_ type: Any.Type) { take(named: TypeNames.name(of: type)) }

        func take(named name: String) {
            if !names.contains(name) { names.append(name) }
        }
    }

    /// The number of the innermost value that could not be made.
    final class Misfit {
        private(set) var number: Int?

        func take(_ number: Int) {
            if self.number == nil { self.number = number }
        }
    }

    /// Makes a value of exactly `type`. `current` decides the dynamic type if `type` is `Any` or another
    /// existential, and provides the properties of a struct that were not typed.
    ///
    /// - Throws: The reason why the literal is not such a value, and an example of one.
    func make(
        _ literal: Literal, as type: Any.Type, current: Any? = nil
    ) throws(CommandFailure) -> Any {
        if let deadline, MonotonicTime.now >= deadline {
            throw CommandFailure(
                .timeout,
                "\(isMasked ? "the value" : subject): what was typed was not made into values in time; "
                    + "nothing was changed",
                hint: "set it in parts, or give it more time with --timeout")
        }
        do throws(CommandFailure) {
            if let value = try typed?.value(of: literal, as: type, current: current, self) {
                return value
            }
            return try made(literal, as: type, current: current)
        } catch {
            misfit?.take(number)
            throw error
        }
    }

    private func made(
        _ literal: Literal, as type: Any.Type, current: Any?
    ) throws(CommandFailure) -> Any {
        if let referred = try referred(literal, as: type) { return referred }
        if let optional = type as? any OptionalAccess.Type {
            return try optionally(literal, as: type, optional, current)
        }
        if let format = ValueFormats.format(for: type), format.isTyped {
            return try formatted(literal, as: type, format)
        }
        if let scalar = type as? any TypedScalar.Type {
            guard let value = scalar.make(literal) else {
                throw mismatch(literal, type, hint: scalar.hint(for: literal))
            }
            return value
        }
        switch TypeMetadata(type).kind {
        case .structure: return try structure(literal, as: type, current: current)
        case .enumeration: return try enumeration(literal, as: type)
        case .tuple: return try tuple(literal, as: type)
        case .existential, .extendedExistential:
            return try existential(literal, as: type, current: current)
        case .classType, .foreignClass:
            if case .null = literal {
                throw mismatch(literal, type, hint: "write the path of an object, or a handle")
            }
            throw CommandFailure(
                .unsupported,
                "\(subject) is \(ChangedType.withArticle(type)), and an object can't be typed",
                hint: "write the path of one, or a handle: \(subject) = #7")
        default:
            throw CommandFailure(
                .unsupported,
                "\(subject) is \(ChangedType.withArticle(type)), which has no values that can "
                    + "be typed")
        }
    }

    private func optionally(
        _ literal: Literal, as type: Any.Type, _ optional: any OptionalAccess.Type, _ current: Any?
    ) throws(CommandFailure) -> Any {
        if case .null = literal { return try fit(optional.wrap(nil), literal, type) }
        let inner = optional.wrapped
        let wrapped: Any
        do throws(CommandFailure) {
            wrapped = try made(literal, as: inner, current: current.flatMap(optional.unwrap))
        } catch {
            // The error names the declared type.
            throw error.renamed(
                from: ChangedType.withArticle(inner), to: ChangedType.withArticle(type))
        }
        return try fit(optional.wrap(wrapped), literal, type)
    }

    // MARK: Parts

    /// The maker of a part of the value, with its number among the typed values.
    func part(_ step: String, number: Int) -> LiteralValue {
        var part = self
        part.subject += step
        part.number = number
        return part
    }

    /// A copy for an attempt after which another follows: it doesn't record a misfit.
    var quietly: LiteralValue {
        var quiet = self
        quiet.misfit = nil
        return quiet
    }

    /// A copy for a value that must not be repeated.
    var secret: LiteralValue {
        var secret = self
        secret.isMasked = true
        return secret
    }
}
#endif
