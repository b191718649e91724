#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// Makes values of what was typed, by the type that they are for.
///
/// No code of the host runs but the `init(from:)` of a struct that is `Decodable` and is not typed by its
/// properties, the `init(rawValue:)` of one that is not, and the hashing of keys and of elements of sets. With
/// ``TypedValues`` on a worker; what is short, or depends on what stands there, on the owner.
struct LiteralValue {
    /// What the value is for, as it stands in a failure: `photos.prompt`.
    let subject: String
    /// Whether what was typed must not be repeated.
    let isMasked: Bool
    /// What is secret of the parts of what was typed.
    let masks: MaskPolicy
    /// What stands at the paths that were typed.
    var references = TypedReferences()
    /// What was made of it without the owner; nil where it is made there, or nobody has one.
    var typed: TypedValues?
    /// Which of the values that were typed it is.
    var number = 0
    /// Which of them did not fit.
    var misfit: Misfit?
    /// Whose `init(from:)` has run.
    var decodedTypes: DecodedTypes?
    /// When it is given up.
    var deadline: MonotonicTime?

    /// The service's own types whose `init(from:)` was called for a value, by their names.
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

    /// A value of exactly `type`. What stands there now decides where that is `Any` or another
    /// existential, and what the properties of a struct are that were not typed.
    ///
    /// - Throws: Why it is none, and what would be.
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
            // The type that was declared is the one to name.
            throw error.renamed(
                from: ChangedType.withArticle(inner), to: ChangedType.withArticle(type))
        }
        return try fit(optional.wrap(wrapped), literal, type)
    }

    // MARK: Parts

    /// A value inside of it, by its place in what was typed.
    func part(_ step: String, number: Int) -> LiteralValue {
        var part = LiteralValue(subject: subject + step, isMasked: isMasked, masks: masks)
        part.references = references
        part.typed = typed
        part.misfit = misfit
        part.decodedTypes = decodedTypes
        part.deadline = deadline
        part.number = number
        return part
    }

    /// The same, where another way is tried if it fails.
    var quietly: LiteralValue {
        var quiet = self
        quiet.misfit = nil
        return quiet
    }

    /// The same for what must not be repeated.
    var secret: LiteralValue {
        var secret = LiteralValue(subject: subject, isMasked: true, masks: masks)
        secret.references = references
        secret.typed = typed
        secret.misfit = misfit
        secret.decodedTypes = decodedTypes
        secret.deadline = deadline
        secret.number = number
        return secret
    }
}
#endif
