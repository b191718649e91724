#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The result of an edit, as a new value: nothing is changed in place, so that other references to the same
/// storage keep their value.
struct EditedValue {
    let found: ValueWriter.Found
    let masks: MaskPolicy
    /// The time at which the edit is given up: before the owner's time is over, so that it is known that
    /// nothing was changed.
    var deadline: MonotonicTime?
    /// The service's types whose `init(from:)` ran for the edit.
    let decodedTypes = LiteralValue.DecodedTypes()

    /// The value that replaces the old one; `nil` to remove a key.
    ///
    /// - Throws: The reason why there is none, with a mark below the typed part that doesn't fit.
    func value(after edit: ValueEdit) throws(CommandFailure) -> Any? {
        // An edit that depends on a secret reveals it by its success or failure.
        if found.isMasked {
            guard case .assign = edit else { throw .masked(found.rendered, StoredWalk.setWhole) }
        }
        let text = edit.text
        let typed = try read(text, isArguments: edit.takesArguments)
        let misfit = LiteralValue.Misfit()
        var making = LiteralValue(
            subject: found.rendered, isMasked: found.isMasked, masks: masks)
        making.references = text.references
        making.typed = text.values
        making.misfit = misfit
        making.deadline = deadline
        making.decodedTypes = decodedTypes
        do throws(CommandFailure) {
            switch edit {
            case .assign: return try assigned(typed.literal, making)
            case .combine(let isSum, _): return try combined(typed.literal, isSum: isSum, making)
            case .slice(let range, _): return try sliced(range, typed.literal, making)
            case .operation(let operation, _):
                if operation != .removeAll {
                    try CopiedSize.check(found.value, found.rendered)
                }
                return try OperatedValue(found: found, making: making, operation: operation)
                    .value(of: typed.literal)
            }
        } catch {
            // The typed line is not shown if it may contain a secret.
            guard let number = misfit.number, !found.isMasked, !holdsSecret(typed.literal)
            else { throw error }
            throw typed.marking(error, at: number)
        }
    }

    /// Returns whether the typed text may contain a secret, judged by the names in it or by the key that the
    /// value is for.
    private func holdsSecret(_ literal: Literal) -> Bool {
        if literal.masked(by: masks.names) != literal.description { return true }
        guard case .tuple(let arguments) = literal,
            let key = arguments.first(where: { $0.label == "forKey" })
        else { return false }
        return OperatedValue.namesSecret(key.value, masks, of: nil)
    }

    private func assigned(
        _ literal: Literal, _ making: LiteralValue
    ) throws(CommandFailure) -> Any? {
        if found.isEntry, case .null = literal, !(found.type is any OptionalAccess.Type) {
            guard found.value != nil else {
                throw CommandFailure(
                    .notFound, "\(found.rendered) is not there, so nothing was removed")
            }
            // As in Swift, `nil` for a key removes it.
            return nil
        }
        return try making.make(literal, as: found.type, current: found.value)
    }

    private func combined(
        _ literal: Literal, isSum: Bool, _ making: LiteralValue
    ) throws(CommandFailure) -> Any? {
        try CopiedSize.check(found.value, found.rendered)
        let sign = isSum ? "+=" : "-="
        var (type, value) = (found.type, found.value)
        while let optional = type as? any OptionalAccess.Type, let wrapped = value {
            (type, value) = (optional.wrapped, optional.unwrap(wrapped))
        }
        guard let summable = type as? any SummableAccess.Type, isSum || summable.hasDifference
        else {
            throw CommandFailure(
                .unsupported,
                "\(found.rendered) is \(ChangedType.withArticle(found.type)), which has no `\(sign)`",
                hint: "`set \(found.rendered) VALUE` gives it another value")
        }
        guard let value else {
            throw CommandFailure(
                .notFound, "\(found.rendered) is nil; there is nothing to change with `\(sign)`",
                hint: "`set \(found.rendered) VALUE` gives it a value")
        }
        let operand = try making.make(literal, as: type)
        guard let sum = summable.combine(value, operand, isSum: isSum) else {
            throw CommandFailure(
                .wrongType,
                "\(found.rendered) is \(ChangedType.withArticle(found.type)); with `\(sign)` it would be out "
                    + "of its range",
                hint: (type as? any TypedScalar.Type)?.range.map { "from \($0.0) to \($0.1)" })
        }
        return sum
    }

    private func sliced(
        _ range: Range<Int>, _ literal: Literal, _ making: LiteralValue
    ) throws(CommandFailure) -> Any? {
        try CopiedSize.check(found.value, found.rendered)
        guard let array = found.type as? any ArrayAccess.Type, let value = found.value,
            let count = array.count(of: value)
        else {
            throw CommandFailure(
                .unsupported,
                "\(found.rendered) is \(ChangedType.withArticle(found.type)), which has no range of elements",
                hint: nil)
        }
        guard range.upperBound <= count else {
            throw CommandFailure(
                .notFound,
                "\(found.rendered) has no [\(range.lowerBound)..<\(range.upperBound)]: it has "
                    + Quantity.count(count, "element", "elements"))
        }
        guard case .array(let elements) = literal else {
            throw making.mismatch(literal, found.type, hint: "write [a, b], or [] for none")
        }
        let values = try making.values(of: elements, as: array.element)
        return try making.fit(
            array.replacing(range, of: value, with: values), literal, found.type)
    }

    private func read(
        _ text: TypedText, isArguments: Bool
    ) throws(CommandFailure) -> TypedLiteral {
        let word = isArguments ? nil : BareWord.of(text.text)
        if let word, BareWord.isTaken(by: found.type), !isWritten(text.parsed) {
            return try TypedLiteral(parsing: Literal.quoted(word))
        }
        switch text.parsed {
        case .success(let typed): return typed
        case .failure(let failure):
            // The parser's message repeats the typed text.
            throw found.isMasked || masks.names.isNamed(in: text.text)
                || SecretLooks.holdsSecret(text.text)
                ? CommandFailure(.usage, "what was typed for \(found.rendered) is not a value")
                : failure
        }
    }

    /// Returns whether the typed text is a value of its own, not a word without its quotes.
    private func isWritten(_ parsed: Result<TypedLiteral, CommandFailure>) -> Bool {
        switch (try? parsed.get())?.literal {
        case nil, .path, .spelled, .made: false
        default: true
        }
    }
}

extension ValueEdit {
    /// True if the typed text was in parentheses.
    fileprivate var takesArguments: Bool {
        if case .operation = self { return true }
        return false
    }
}
#endif
