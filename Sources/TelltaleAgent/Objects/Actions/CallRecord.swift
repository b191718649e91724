#if TELLTALE_AGENT
import TelltaleProtocol

/// What is recorded of a call: nothing that could be a secret.
///
/// A closure's parameters have no names at run time, so that nothing says what an argument is. Its
/// value is recorded where the registration gave its name and the name is no secret's; of any other
/// its type and its length are.
struct CallRecord {
    let action: Action
    let masks: MaskPolicy

    /// `(title: "x"; String, 12 characters)`.
    ///
    /// - Parameter arguments: What was typed.
    /// - Returns: The arguments as they are recorded.
    func text(of arguments: [Literal.Argument]) -> String {
        let parts = arguments.enumerated().map { index, argument in
            guard let name = action.argumentName(index) else {
                return Self.sort(of: argument.value, as: action.parameters, at: index)
            }
            return name + ": "
                + (masks.masks(name: name)
                    ? Self.sort(of: argument.value, as: action.parameters, at: index)
                    : argument.value.masked(by: masks.names))
        }
        return "(\(parts.joined(separator: "; ")))"
    }

    /// `String, 12 characters`.
    private static func sort(of value: Literal, as types: [String], at index: Int) -> String {
        let type = types.indices.contains(index) ? types[index] : value.typeDescription
        return length(of: value).map { "\(type), \($0)" } ?? type
    }

    /// How long what was typed is, in the words of its kind.
    static func length(of value: Literal) -> String? {
        switch value {
        case .string(let text): Quantity.count(text.count, "character", "characters")
        case .array(let elements): Quantity.count(elements.count, "element", "elements")
        case .dictionary(let entries): Quantity.count(entries.count, "entry", "entries")
        case .tuple(let elements): Quantity.count(elements.count, "value", "values")
        case .null, .bool, .integer, .float, .enumCase: nil
        }
    }
}
#endif
