#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleValues

/// The text of a value used as a name: a dictionary's key, or the name in a name-and-value pair. The value
/// can be a string, a case, or a struct, a class or an `NSString` that holds one.
struct NameText {
    private var texts: [String] = []
    /// False if a part of the value was not read.
    private var isWhole = true

    /// Collects the texts in a node that was read deep enough.
    init(of node: ValueNode) {
        // A masked name is unknown, so the value it names counts as a secret.
        if node.kind == .masked { isWhole = false }
        add(node)
    }

    /// The text, if there is exactly one.
    var only: String? { isWhole && texts.count == 1 ? texts[0] : nil }

    private mutating func add(_ node: ValueNode) {
        if node.cut != nil || node.kind == .unavailable { isWhole = false }
        switch node.kind {
        case .string: add(literal: node.text ?? "")
        case .enumeration, .scalar: if let text = node.text { texts.append(text) }
        default: break
        }
        // The node's depth limits the recursion.
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

    /// Returns whether a value of `type` with this name is a secret; true also for a name that could not be
    /// read completely.
    func isSecret(by masks: MaskPolicy, value type: Any.Type) -> Bool {
        guard masks.isActive else { return false }
        if !isWhole, !masks.isTruth(type) { return true }
        return texts.contains { masks.masks(name: $0, of: type) }
    }
}

extension NodeMaker {
    private static let nameLevels = 6

    /// Reads a value as a name, without counting it against the answer's limits.
    func name(in view: ValueView) -> NameText {
        // An object in the name may be shown elsewhere in the answer too, and must still be read here.
        let shown = session.shown
        session.shown = ShownObjects()
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

    /// Returns whether a part of a value is a secret by the name stored in another part; true also if that
    /// name can't be read.
    func isSecretInPair(_ planned: PlannedField, of view: ValueView) -> Bool {
        guard !session.isReadingName, let name = planned.namedBy, name.ownership == .strong
        else { return false }
        // Another thread may be writing a class's variables.
        let isObject = TypeMetadata(view.type).kind == .classType
        let base = ValueView(
            block: view.block, offset: view.offset, type: view.type,
            isStable: isObject ? !name.isVariable : view.isStable)
        return self.name(in: base.part(at: name.offset, type: name.type))
            .isSecret(by: session.masks, value: planned.field.type)
    }

    /// The positions of the entries of a small dictionary that are secrets by the name stored in another
    /// entry, as JSON has it: `["name": "Authorization", "value": "…"]`.
    func secretsByPair(in storage: HashStorage) -> Set<Int> {
        guard session.masks.isActive, !session.isReadingName, let type = storage.value,
            (2...NameValuePair.mostEntries).contains(storage.count)
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
}
#endif
