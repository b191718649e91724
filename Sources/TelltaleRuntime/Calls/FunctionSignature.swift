#if TELLTALE_AGENT
/// The parts of a method's symbol: its name, its labels, the types of its parameters and its result.
///
/// Checked against swift-6.3.1 (`lib/AST/ASTMangler.cpp`). The order in a symbol is: context, name, labels,
/// result, parameters, effects. A symbol does not encode `mutating` and `consuming`, a getter's effects, or
/// `nonisolated(nonsending)`.
package struct FunctionSignature: Sendable {
    package struct Parameter: Sendable {
        package var label: String?
        package var type: Any.Type
        /// True if the function consumes the value and releases it (`owned` convention).
        var isOwned: Bool
    }

    package enum Kind: Sendable { case method, getter, setter }

    package var kind: Kind
    /// The base name without labels: `add`.
    var name: String
    package var parameters: [Parameter]
    package var result: Any.Type
    package var isAsync = false
    /// True if a method is declared `throws`. Always false for accessors.
    package var canThrow = false
    package var isStatic = false
    /// True if the name, or a type that contains it, is private to a file.
    var isPrivate = false

    /// `add(_:, count:)`, or a property's name alone.
    var selector: String {
        guard kind == .method else { return name }
        return "\(name)(\(parameters.map { "\($0.label ?? "_"):" }.joined()))"
    }

    /// `add(String, count: Int) -> Bool`.
    package var rendered: String {
        let end = result == Void.self ? "" : " -> \(TypeNames.name(of: result))"
        return "\(name)(\(renderedParameters.joined(separator: ", ")))\(end)"
    }

    /// `String`, `count: Int`.
    package var renderedParameters: [String] {
        parameters.map { parameter in
            (parameter.label.map { "\($0): " } ?? "") + TypeNames.name(of: parameter.type)
        }
    }

    /// Parses the symbol of a member of the type whose own symbol is `prefix`. Nil if the symbol is not a
    /// function of that type, or is not understood.
    init?(symbol: String, of prefix: String) {
        guard let (kind, end) = Self.kind(of: symbol), symbol.hasPrefix("$s"),
            let context = MangledType.parse(String(prefix.dropFirst(2)))?.type.path
        else { return nil }
        let body = String(symbol.dropFirst(2).dropLast(end.utf8.count))
        for refersToAll in [false, true] {
            guard let parsed = MangledType.parseAll(body, refersToAll: refersToAll),
                parsed.items.first?.kind == .type, parsed.items.first?.path == context
            else { return nil }
            var reading = Reading(items: parsed.items[1...], references: parsed.references)
            if let signature = reading.signature(kind) {
                self = signature
                isStatic = end.hasSuffix("Z")
                isPrivate = isPrivate || context.contains { $0.file != nil }
                return
            }
        }
        return nil
    }

    private init(kind: Kind, name: String, parameters: [Parameter], result: Any.Type) {
        self.kind = kind
        self.name = name
        self.parameters = parameters
        self.result = result
    }

    /// The kind that the suffix of a symbol encodes, and the suffix.
    private static func kind(of symbol: String) -> (Kind, String)? {
        let ends: [(String, Kind)] = [
            ("FZ", .method), ("vgZ", .getter), ("vsZ", .setter), ("F", .method),
            ("vg", .getter), ("vs", .setter),
        ]
        return ends.first { symbol.hasSuffix($0.0) }.map { ($0.1, $0.0) }
    }

    /// A parser of the part of the symbol after the context.
    private struct Reading {
        var items: ArraySlice<MangledType.Item>
        let references: [TypeDescriptor]

        mutating func signature(_ kind: Kind) -> FunctionSignature? {
            guard let first = items.popFirst(), first.kind == .identifier,
                let name = first.path.first?.name
            else { return nil }
            let signature = kind == .method ? method(name) : property(name, kind)
            guard var signature else { return nil }
            signature.isPrivate = first.path.contains { $0.file != nil }
            return signature
        }

        private mutating func property(_ name: String, _ kind: Kind) -> FunctionSignature? {
            guard let item = items.popFirst(), items.isEmpty, let type = type(of: item) else {
                return nil
            }
            guard kind == .setter else {
                return FunctionSignature(kind: kind, name: name, parameters: [], result: type)
            }
            // A setter consumes its argument.
            return FunctionSignature(
                kind: kind, name: name,
                parameters: [Parameter(label: nil, type: type, isOwned: true)],
                result: Void.self)
        }

        private mutating func method(_ name: String) -> FunctionSignature? {
            var (isAsync, canThrow) = (false, false)
            while let last = items.last, last.kind == .attribute {
                // A typed `throws` is `YK`, which isn't parsed.
                switch String(decoding: last.text, as: UTF8.self) {
                case "Ya": isAsync = true
                case "K": canThrow = true
                default: return nil
                }
                items.removeLast()
            }
            guard let taken = items.popLast(), let given = items.popLast(),
                let result = given.kind == .empty ? Void.self : type(of: given),
                let labels = labels(of: parameters(taken))
            else { return nil }
            var found: [Parameter] = []
            for (item, label) in zip(parameters(taken), labels) {
                guard let parameter = parameter(item, label) else { return nil }
                found.append(parameter)
            }
            var signature = FunctionSignature(
                kind: .method, name: name, parameters: found, result: result)
            signature.isAsync = isAsync
            signature.canThrow = canThrow
            return signature
        }

        /// A single parameter is not wrapped in a list, unless it is labelled or a tuple.
        private func parameters(_ taken: MangledType.Item) -> [MangledType.Item] {
            if taken.kind == .empty { return [] }
            return taken.elements.isEmpty ? [taken] : taken.elements
        }

        /// A lone `y` means that no parameter has a label; without parameters there is no label item at
        /// all.
        private func labels(of parameters: [MangledType.Item]) -> [String?]? {
            if parameters.isEmpty { return items.isEmpty ? [] : nil }
            if items.count == 1, items.first?.kind == .empty {
                return parameters.map { _ in nil }
            }
            guard items.count == parameters.count,
                items.allSatisfy({ $0.kind == .identifier || $0.kind == .first })
            else { return nil }
            return items.map { $0.kind == .identifier ? $0.path.first?.name : nil }
        }

        private func parameter(_ item: MangledType.Item, _ label: String?) -> Parameter? {
            var item = item
            if item.passing != nil { item.text.removeLast() }
            // `inout` needs an address to write back to.
            guard item.passing != UInt8(ascii: "z"), let type = type(of: item) else { return nil }
            return Parameter(
                label: label, type: type, isOwned: item.passing == UInt8(ascii: "n"))
        }

        private func type(of item: MangledType.Item) -> Any.Type? {
            guard item.kind == .type else { return nil }
            return MangledType.type(of: item.text, references, in: nil, arguments: nil)
        }
    }
}
#endif
