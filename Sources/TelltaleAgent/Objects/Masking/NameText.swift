#if TELLTALE_AGENT
import TelltaleProtocol

/// What a value says that stands for a name: a dictionary's key, the name in a name-and-value pair. It
/// can be a text, a case, or something that holds one: a struct, a class, an `NSString`.
struct NameText {
    private var texts: [String] = []
    /// Whether all of it was read.
    private var isWhole = true

    /// Takes the texts out of a value that was read deep enough.
    init(of node: ValueNode) {
        // Nothing is known of such a name, so that what it names is taken for a secret.
        if node.kind == .masked { isWhole = false }
        add(node)
    }

    /// The text, where there is just one.
    var only: String? { isWhole && texts.count == 1 ? texts[0] : nil }

    private mutating func add(_ node: ValueNode) {
        if node.cut != nil || node.kind == .unavailable { isWhole = false }
        switch node.kind {
        case .string: add(literal: node.text ?? "")
        case .enumeration, .scalar: if let text = node.text { texts.append(text) }
        default: break
        }
        // As deep as the reader went.
        node.children.forEach { add($0) }
    }

    private mutating func add(literal: String) {
        if !literal.utf8.contains(UInt8(ascii: "\\")) {
            texts.append(String(literal.dropFirst().dropLast()))
        } else if case .string(let text)? = try? Literal(parsing: literal) {
            texts.append(text)
        } else {
            isWhole = false
        }
    }

    /// Whether a value of `type` that goes by the name is a secret; true also for a name that could
    /// not be read whole.
    func isSecret(by masks: MaskPolicy, value type: Any.Type) -> Bool {
        guard masks.isActive else { return false }
        if !isWhole, !masks.isTruth(type) { return true }
        return texts.contains { masks.masks(name: $0, of: type) }
    }
}

extension NodeMaker {
    private static let nameLevels = 6

    /// What a value says as a name; nothing of it counts for the answer.
    func name(in view: ValueView) -> NameText {
        // An object of it may stand elsewhere in the answer, and is read here all the same.
        let shown = session.shown
        session.shown = [:]
        let wasReadingName = session.isReadingName
        session.isReadingName = true
        defer {
            session.shown = shown
            session.isReadingName = wasReadingName
        }
        return session.uncounted {
            session.with(nil) {
                NameText(
                    of: node(
                        of: view, label: nil, level: session.limits.depth - Self.nameLevels))
            }
        }
    }

    /// Whether a part of a value is a secret by the name that another part of it is; true also
    /// where the name can't be read.
    func isSecretInPair(_ planned: ReadSession.PlannedField, of view: ValueView) -> Bool {
        guard !session.isReadingName, let name = planned.namedBy, name.ownership == .strong
        else { return false }
        // A class's variables may be written while they are read.
        let isObject = TypeMetadata(view.type).kind == .classType
        let base = ValueView(
            block: view.block, offset: view.offset, type: view.type,
            isStable: isObject ? !name.isVariable : view.isStable)
        return self.name(in: base.part(at: name.offset, type: name.type))
            .isSecret(by: session.masks, value: planned.field.type)
    }

    /// Which entries of a small dictionary, by their positions, are secrets by the name that
    /// another one of them is: `["name": "Authorization", "value": "…"]`, as JSON has it.
    func secretsByPair(in storage: HashStorage) -> Set<Int> {
        guard session.masks.isActive, !session.isReadingName, let type = storage.value,
            (2...Self.mostPaired).contains(storage.count)
        else { return [] }
        var roles: [NameValuePair.Role?] = []
        var names: [Int: ValueView] = [:]
        storage.forEach(until: { session.stop != nil }) { _, key, value in
            let role = name(in: key).only.flatMap(NameValuePair.Role.init)
            if role?.isName == true { names[roles.count] = value() }
            roles.append(role)
            return true
        }
        guard let pair = NameValuePair(roles: roles, isUnlabelled: false) else { return [] }
        let isSecret =
            names[pair.name].map {
                name(in: $0).isSecret(by: session.masks, value: type)
            } ?? true
        return isSecret ? pair.values : []
    }

    /// A larger dictionary is no mere pair.
    static let mostPaired = 8
}
#endif
