#if TELLTALE_AGENT
import TelltaleProtocol

/// The result of an operation on a collection, a string or a `Bool`.
struct OperatedValue {
    let found: ValueWriter.Found
    let making: LiteralValue
    let operation: ValueOperation

    /// The arguments typed between the parentheses.
    private struct Arguments {
        var list: [Literal.Argument]
        var numbers: [Int]

        init(_ literal: Literal) {
            list = []
            numbers = []
            guard case .tuple(let arguments) = literal else { return }
            var next = 1
            for argument in arguments {
                list.append(argument)
                numbers.append(next)
                next += argument.value.size
            }
        }

        /// Returns whether the labels are these; `nil` stands for no label.
        func have(_ labels: String?...) -> Bool {
            list.count == labels.count && zip(list, labels).allSatisfy { $0.label == $1 }
        }
    }

    func value(of literal: Literal) throws(CommandFailure) -> Any {
        let arguments = Arguments(literal)
        var (type, value) = (found.type, found.value)
        while let optional = type as? any OptionalAccess.Type, let wrapped = value {
            (type, value) = (optional.wrapped, optional.unwrap(wrapped))
        }
        guard let value else {
            throw CommandFailure(
                .notFound, "\(found.rendered) is nil; it has no `\(operation.rawValue)`",
                hint: "`set \(found.rendered) VALUE` gives it a value")
        }
        let made: Any
        if let array = type as? any ArrayAccess.Type {
            made = try edited(array, value, arguments)
        } else if let set = type as? any SetAccess.Type {
            made = try edited(set, value, arguments)
        } else if let dictionary = type as? any DictionaryAccess.Type {
            made = try edited(dictionary, value, arguments)
        } else if let bool = value as? Bool, operation == .toggle, arguments.have() {
            made = !bool
        } else if let text = value as? String {
            made = try edited(text, arguments)
        } else {
            throw unfit(forms: type == Bool.self ? ["toggle()"] : [])
        }
        return made
    }

    // MARK: Arrays

    private func edited(
        _ array: any ArrayAccess.Type, _ value: Any, _ arguments: Arguments
    ) throws(CommandFailure) -> Any {
        let count = array.count(of: value) ?? 0
        let change: (range: Range<Int>, values: [Any])
        switch operation {
        case .append where arguments.have(nil):
            change = (count..<count, [try element(arguments, 0, as: array.element)])
        case .append where arguments.have("contentsOf"):
            change = (count..<count, try elements(arguments, 0, of: array))
        case .insert where arguments.have(nil, "at"):
            let index = try index(arguments, 1, upTo: count)
            change = (index..<index, [try element(arguments, 0, as: array.element)])
        case .insert where arguments.have("contentsOf", "at"):
            let index = try index(arguments, 1, upTo: count)
            change = (index..<index, try elements(arguments, 0, of: array))
        case .remove where arguments.have("at"):
            let index = try index(arguments, 0, upTo: count - 1)
            change = (index..<index + 1, [])
        case .removeAll where arguments.have(): change = (0..<count, [])
        case .removeFirst where arguments.have():
            change = (0..<(try end(1, of: count)), [])
        case .removeFirst where arguments.have(nil):
            change = (0..<(try index(arguments, 0, upTo: count)), [])
        case .removeLast where arguments.have():
            change = (count - (try end(1, of: count))..<count, [])
        case .removeLast where arguments.have(nil):
            change = (count - (try index(arguments, 0, upTo: count))..<count, [])
        case .swap where arguments.have(nil, nil), .swapAt where arguments.have(nil, nil):
            let first = try index(arguments, 0, upTo: count - 1)
            let second = try index(arguments, 1, upTo: count - 1)
            return try fit(array.swapping(first, second, of: value))
        default:
            throw unfit(forms: [
                "append(x)", "append(contentsOf: [x])", "insert(x, at: 0)", "remove(at: 0)",
                "removeFirst()", "removeLast()", "removeAll()", "swapAt(0, 1)",
            ])
        }
        return try fit(array.replacing(change.range, of: value, with: change.values))
    }

    private func elements(
        _ arguments: Arguments, _ index: Int, of array: any ArrayAccess.Type
    ) throws(CommandFailure) -> [Any] {
        let (literal, number) = (arguments.list[index].value, arguments.numbers[index])
        let part = making.part("", number: number)
        guard case .array(let elements) = literal else {
            making.misfit?.take(number)
            throw part.mismatch(literal, found.type, hint: "write [a, b]")
        }
        return try part.values(of: elements, as: array.element)
    }

    private func end(_ length: Int, of count: Int) throws(CommandFailure) -> Int {
        guard length <= count else {
            throw CommandFailure(
                .notFound, "\(found.rendered) is empty; there is nothing to remove")
        }
        return length
    }

    private func index(
        _ arguments: Arguments, _ position: Int, upTo last: Int
    ) throws(CommandFailure) -> Int {
        let number = arguments.numbers[position]
        let part = LiteralValue(
            subject: "the index", isMasked: making.isMasked, masks: making.masks)
        guard case .integer(let text) = arguments.list[position].value else {
            making.misfit?.take(number)
            throw part.mismatch(
                arguments.list[position].value, Int.self, hint: "write a whole number: 2")
        }
        guard let index = Int(text), index >= 0, index <= last else {
            making.misfit?.take(number)
            throw CommandFailure(
                .notFound,
                last < 0
                    ? "\(found.rendered) is empty"
                    : "\(found.rendered) has no place \(text): those are 0 to \(last)")
        }
        return index
    }

    // MARK: Sets and dictionaries

    private func tryHash(
        of type: Any.Type, _ body: @escaping () -> Void
    ) throws(CommandFailure) {
        try KeyTrial.check(
            of: type, "\(found.rendered) was not changed: the hash of what was typed", body)
    }

    private func edited(
        _ set: any SetAccess.Type, _ value: Any, _ arguments: Arguments
    ) throws(CommandFailure) -> Any {
        switch operation {
        case .insert where arguments.have(nil):
            let element = try element(arguments, 0, as: set.element)
            try tryHash(of: set.element) { _ = set.inserting(element, into: value) }
            guard let made = set.inserting(element, into: value) else {
                throw CommandFailure(
                    .conflict, "\(found.rendered) has that element already; nothing was changed")
            }
            return made
        case .remove where arguments.have(nil):
            let element = try element(arguments, 0, as: set.element)
            try tryHash(of: set.element) { _ = set.removing(element, from: value) }
            guard let made = set.removing(element, from: value) else {
                throw CommandFailure(
                    .notFound, "\(found.rendered) has no such element; nothing was changed")
            }
            return made
        case .removeAll where arguments.have(): return try fit(set.make([]))
        default: throw unfit(forms: ["insert(x)", "remove(x)", "removeAll()"])
        }
    }

    private func edited(
        _ dictionary: any DictionaryAccess.Type, _ value: Any, _ arguments: Arguments
    ) throws(CommandFailure) -> Any {
        switch operation {
        case .remove where arguments.have(nil), .remove where arguments.have("forKey"),
            .removeValue where arguments.have("forKey"):
            let key = try element(arguments, 0, as: dictionary.key)
            try tryHash(of: dictionary.key) { _ = dictionary.updating(key, of: value, to: nil) }
            _ = try isSecretInPair(key, of: dictionary, value)
            guard let made = dictionary.updating(key, of: value, to: nil) else {
                throw CommandFailure(
                    .notFound, "\(found.rendered) has no such key; nothing was changed")
            }
            return made
        case .insert where arguments.have(nil, "forKey"),
            .updateValue where arguments.have(nil, "forKey"):
            // The key comes second in the line but is made first: it decides whether the value is a secret.
            let key = try element(arguments, 1, as: dictionary.key)
            try tryHash(of: dictionary.key) { _ = dictionary.updating(key, of: value, to: nil) }
            let new = try element(
                arguments, 0, as: dictionary.value,
                isSecret: try isSecretInPair(key, of: dictionary, value)
                    || Self.namesSecret(
                        arguments.list[1].value, making.masks, of: dictionary.value)
            )
            return try fit(dictionary.updating(key, of: value, to: new))
        case .removeAll where arguments.have(): return try fit(dictionary.make([]))
        default:
            throw unfit(forms: [
                "updateValue(x, forKey: k)", "removeValue(forKey: k)", "removeAll()",
            ])
        }
    }

    /// - Throws: An error if the entry is the name of a secret, which would be shown without the name.
    private func isSecretInPair(
        _ key: Any, of type: any DictionaryAccess.Type, _ value: Any
    ) throws(CommandFailure) -> Bool {
        guard !making.masks.masks(type: type.key) else {
            throw .masked("\(found.rendered).keys")
        }
        switch PairedSecrets(type.entries(of: value), of: type.value, making.masks).part(of: key) {
        case .secret: return true
        case .nameOfSecret: throw .nameOfSecret(found.rendered)
        case .other: return false
        }
    }

    private func edited(_ text: String, _ arguments: Arguments) throws(CommandFailure) -> Any {
        switch operation {
        case .append where arguments.have(nil):
            let part = try element(arguments, 0, as: String.self)
            return try fit((part as? String).map { text + $0 })
        case .removeAll where arguments.have(): return ""
        default: throw unfit(forms: ["append(\"x\")", "removeAll()"])
        }
    }

    // MARK: Parts

    /// Returns whether a key is the name of a secret; a key that is not known may be one.
    static func namesSecret(_ key: Literal, _ masks: MaskPolicy, of type: Any.Type?) -> Bool {
        switch key {
        case .string(let name), .enumCase(let name, _):
            masks.masks(name: name, of: type)
        case .integer, .float, .bool: false
        default: masks.isActive
        }
    }

    private func element(
        _ arguments: Arguments, _ index: Int, as type: Any.Type, isSecret: Bool = false
    ) throws(CommandFailure) -> Any {
        let literal = arguments.list[index].value
        var part = making
        part.subject = "what \(found.rendered).\(operation.rawValue) takes"
        part.isMasked = making.isMasked || isSecret
        part.number = arguments.numbers[index]
        return try part.make(literal, as: type)
    }

    private func fit(_ value: Any?) throws(CommandFailure) -> Any {
        guard let value else {
            throw CommandFailure(
                .wrongType,
                "\(found.rendered) is \(ChangedType.withArticle(found.type)) and does not take that"
            )
        }
        return value
    }

    private func unfit(forms: [String]) -> CommandFailure {
        CommandFailure(
            .unsupported,
            "\(found.rendered) is \(ChangedType.withArticle(found.type)), which has no "
                + "`\(operation.rawValue)` with such arguments",
            hint: forms.isEmpty ? nil : "it has \(forms.joined(separator: ", "))")
    }
}
#endif
