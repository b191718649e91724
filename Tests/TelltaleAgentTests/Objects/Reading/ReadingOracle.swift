#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

@testable import TelltaleAgent

/// The output of `Mirror` and of the reader for a value, in the same words.
enum ReadingOracle {
    /// A value as `Mirror` tells it.
    static func text(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            return mirror.children.first.map { text(of: $0.value) } ?? "nil"
        }
        switch value {
        case let text as String: return Literal.quoted(text)
        case let text as Substring: return Literal.quoted(String(text))
        case let character as Character: return Literal.quoted(String(character))
        case let scalar as Unicode.Scalar: return Literal.quoted(String(scalar))
        case is any BinaryInteger, is any BinaryFloatingPoint, is Bool, is Duration,
            is Range<Int>, is ClosedRange<Int>:
            return "\(value)"
        case let hashable as AnyHashable where type(of: value) == AnyHashable.self:
            return text(of: hashable.base)
        default: break
        }
        let parts = mirror.children.map { (shown($0.label), text(of: $0.value)) }
        switch mirror.displayStyle {
        case .collection, .set:
            return list("[", mirror.children.map { (nil, text(of: $0.value)) })
        case .dictionary:
            return list(
                "[",
                mirror.children.map { child in
                    let pair = Array(Mirror(reflecting: child.value).children)
                    return ("[" + text(of: pair[0].value) + "]", text(of: pair[1].value))
                })
        case .enum: return enumeration(value, mirror)
        case .class: return "object" + list("(", inherited(mirror) + parts)
        default:
            return (mirror.displayStyle == .tuple ? "" : "struct") + list("(", parts)
        }
    }

    private static func inherited(_ mirror: Mirror) -> [(String?, String)] {
        guard let above = mirror.superclassMirror else { return [] }
        return inherited(above) + above.children.map { (shown($0.label), text(of: $0.value)) }
    }

    private static func enumeration(_ value: Any, _ mirror: Mirror) -> String {
        guard let payload = mirror.children.first else { return ".\(value)" }
        let inner = Mirror(reflecting: payload.value)
        let name = "." + (payload.label ?? "?")
        if inner.displayStyle == .tuple {
            return name
                + list("(", inner.children.map { (shown($0.label), text(of: $0.value)) })
        }
        return name + list("(", [(".0", text(of: payload.value))])
    }

    private static func shown(_ label: String?) -> String? {
        guard let label else { return nil }
        for prefix in ["$__lazy_storage_$_", "_"] where label.hasPrefix(prefix) {
            return String(label.dropFirst(prefix.count))
        }
        return label
    }

    /// A node in the same words.
    static func text(of node: ValueNode) -> String {
        let parts = node.children.map { ($0.label, text(of: $0)) }
        switch node.kind {
        case .scalar, .string, .none, .masked, .unavailable, .opaque:
            return node.text ?? node.kind.rawValue
        case .array, .set: return list("[", parts.map { (nil, $0.1) })
        case .dictionary: return list("[", parts)
        case .enumeration:
            return (node.text ?? "?") + (parts.isEmpty ? "" : list("(", parts))
        case .object: return "object" + list("(", parts)
        case .structure: return "struct" + list("(", parts)
        case .tuple: return list("(", parts)
        default: return node.kind.rawValue
        }
    }

    private static func list(_ opening: String, _ parts: [(String?, String)]) -> String {
        opening
            + parts.map { part in part.0.map { "\($0): \(part.1)" } ?? part.1 }
            .joined(separator: ", ") + (opening == "[" ? "]" : ")")
    }
}

extension ValueReader {
    /// A reader with the usual limits and a second's time.
    static func usual(
        handles: HandleTable? = nil, masks: MaskPolicy = MaskPolicy(additionalNames: []),
        _ change: (inout ReadLimits) -> Void = { _ in }
    ) -> ValueReader {
        var limits = ReadLimits(deadline: MonotonicTime.now.advanced(by: .seconds(60)))
        change(&limits)
        return ValueReader(limits: limits, masks: masks, handles: handles)
    }

    /// Reads what a path below an object called `x` leads to.
    func read(_ object: AnyObject, _ path: String = "x") throws -> ValueNode {
        try read(.object(object), rootName: "x", path: ValuePath(parsing: path).components)
    }
}
#endif
