#if TELLTALE_AGENT
/// What a method's symbol says of it: its name, its labels, the types that it takes and gives.
///
/// Checked against swift-6.3.1 (`lib/AST/ASTMangler.cpp`): the context, the name, the labels, the result, the
/// parameters, the effects. A symbol says nothing of `mutating` and `consuming`, of a getter's effects, nor of
/// `nonisolated(nonsending)`.
struct FunctionSignature: Sendable {
    struct Parameter: Sendable {
        var label: String?
        var type: Any.Type
        /// Whether the function takes the value over, and lets it go.
        var isOwned: Bool
    }

    enum Kind: Sendable { case method, getter, setter }

    var kind: Kind
    /// Without labels: `add`.
    var name: String
    var parameters: [Parameter]
    var result: Any.Type
    var isAsync = false
    /// Whether it may throw; of a method.
    var canThrow = false
    var isStatic = false
    /// Whether the name, or the type's, is private to a file.
    var isPrivate = false

    /// `add(_:, count:)`, a property's name alone.
    var selector: String {
        guard kind == .method else { return name }
        return "\(name)(\(parameters.map { "\($0.label ?? "_"):" }.joined()))"
    }

    /// `add(String, count: Int) -> Bool`.
    var rendered: String {
        let end = result == Void.self ? "" : " -> \(TypeNames.name(of: result))"
        return "\(name)(\(renderedParameters.joined(separator: ", ")))\(end)"
    }

    /// `String`, `count: Int`.
    var renderedParameters: [String] {
        parameters.map { parameter in
            (parameter.label.map { "\($0): " } ?? "") + TypeNames.name(of: parameter.type)
        }
    }

    /// Reads a symbol of a type's whose own symbol is `prefix`; nil for what is no function of its own, or
    /// is not understood.
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

    /// What the end of a symbol says, and the end.
    private static func kind(of symbol: String) -> (Kind, String)? {
        let ends: [(String, Kind)] = [
            ("FZ", .method), ("vgZ", .getter), ("vsZ", .setter), ("F", .method),
            ("vg", .getter), ("vs", .setter),
        ]
        return ends.first { symbol.hasSuffix($0.0) }.map { ($0.1, $0.0) }
    }

    /// What stands behind the context.
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
            // A setter takes over what it is given.
            return FunctionSignature(
                kind: kind, name: name,
                parameters: [Parameter(label: nil, type: type, isOwned: true)],
                result: Void.self)
        }

        private mutating func method(_ name: String) -> FunctionSignature? {
            var (isAsync, canThrow) = (false, false)
            while let last = items.last, last.kind == .attribute {
                // A typed `throws` is `YK`, which isn't read.
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

        /// One parameter stands alone, unless it is labelled or a tuple.
        private func parameters(_ taken: MangledType.Item) -> [MangledType.Item] {
            if taken.kind == .empty { return [] }
            return taken.elements.isEmpty ? [taken] : taken.elements
        }

        /// `y` for no labels at all; nothing where there are no parameters.
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
            // `inout` needs a place.
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
