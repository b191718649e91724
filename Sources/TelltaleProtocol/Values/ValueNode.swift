#if TELLTALE_COMPILED
/// A value of the host as a tree: made by a reader, and shown by every renderer.
public struct ValueNode: MemberCoded {
    /// The kind of value that a node stands for.
    public struct Kind: RawRepresentable, Codable, Sendable, Hashable {
        /// The kind's wire form.
        public var rawValue: String
        /// Makes a kind from its wire form.
        ///
        /// - Parameter rawValue: The kind's wire form.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A number, a Boolean, or another leaf whose `text` is all of it.
        public static let scalar = Kind(rawValue: "scalar")
        /// A string or a character; `text` is its literal, quoted and escaped.
        public static let string = Kind(rawValue: "string")
        /// A class instance; `address`, and `handle` where one was given out.
        public static let object = Kind(rawValue: "object")
        /// A struct.
        public static let structure = Kind(rawValue: "struct")
        /// An enumeration; `text` is the case (`.done`), children its payload.
        public static let enumeration = Kind(rawValue: "enum")
        /// An empty optional; a full one is its value.
        public static let none = Kind(rawValue: "nil")
        /// A tuple.
        public static let tuple = Kind(rawValue: "tuple")
        /// An array or another ordered collection; `count`.
        public static let array = Kind(rawValue: "array")
        /// A set; `count`.
        public static let set = Kind(rawValue: "set")
        /// A dictionary; `count`. A child's label is its key in brackets: `["a b"]`, `[3]`.
        public static let dictionary = Kind(rawValue: "dictionary")
        /// A function, a metatype, or a value whose type tells nothing of its inside.
        public static let opaque = Kind(rawValue: "opaque")
        /// An object that is elsewhere in the same answer, or that leads back and has its type as `text`; `handle`
        /// names it.
        public static let reference = Kind(rawValue: "reference")
        /// A secret that was left out; `text` is `<masked>`.
        public static let masked = Kind(rawValue: "masked")
        /// A value that could not be read; `note` says why.
        public static let unavailable = Kind(rawValue: "unavailable")
    }

    /// The omission of some of a node's children, and its reason.
    public struct Cut: MemberCoded {
        /// `elements`, `depth`, `bytes` or `deadline`.
        public var reason: String
        /// The number of omitted children, if known.
        public var omitted: Int?

        package init(reason: String, omitted: Int? = nil) {
            self.reason = reason
            self.omitted = omitted
        }
    }

    /// The property's name, `[0]`, `["key"]` or `.0`; nil at the root.
    public var label: String?
    /// The value's own type, as Swift writes it without modules: `[Photo]`, `String?`.
    public var type: String
    /// The kind of value.
    public var kind: Kind
    /// A leaf as it would be typed (`12`, `"a\n"`, `nil`), or an enumeration's case.
    public var text: String?
    /// The address of an object, as hexadecimal with `0x`.
    public var address: String?
    /// The number by which later commands can name the object: `#7`.
    public var handle: Int?
    /// The number of elements of a collection, shown or not.
    public var count: Int?
    /// The parts, in the order of their declaration or position.
    public var children: [ValueNode]
    /// Set where not all children are here.
    public var cut: Cut?
    /// A remark: `weak`, `gone`, `lazy, not yet made`, the reason for `unavailable`.
    public var note: String?

    package init(
        label: String? = nil, type: String, kind: Kind, text: String? = nil,
        address: String? = nil, handle: Int? = nil, count: Int? = nil,
        children: [ValueNode] = [], cut: Cut? = nil, note: String? = nil
    ) {
        self.label = label
        self.type = type
        self.kind = kind
        self.text = text
        self.address = address
        self.handle = handle
        self.count = count
        self.children = children
        self.cut = cut
        self.note = note
    }

    /// An empty one, to be read into.
    public init() { self.init(type: "", kind: Kind(rawValue: "")) }

    /// Names the members.
    public mutating func code(_ coder: inout MemberCoder) {
        coder.member("label", &label)
        coder.member("type", &type)
        coder.member("kind", &kind.rawValue)
        coder.member("text", &text)
        coder.member("address", &address)
        coder.member("handle", &handle)
        coder.member("count", &count)
        coder.member("children", &children)
        coder.member("cut", &cut)
        coder.member("note", &note)
    }

    /// Reads a node in one pass over its members, of which an answer may have a million; a node
    /// that does not fit is read again by the coder, which reports the problem.
    public init(json: JSONValue) throws {
        guard let node = Self(members: json) else {
            var coder = try MemberCoder(reading: json)
            self.init()
            code(&coder)
            try coder.check()
            return
        }
        self = node
    }

    private init?(members json: JSONValue) {
        guard case .object(let members) = json else { return nil }
        self.init()
        // The number of required members found.
        var found = 0
        for member in members {
            switch (member.key, member.value) {
            case ("label", .string(let text)): label = text
            case ("type", .string(let text)):
                type = text
                found |= 1
            case ("kind", .string(let text)):
                kind.rawValue = text
                found |= 2
            case ("text", .string(let text)): self.text = text
            case ("address", .string(let text)): address = text
            case ("handle", .integer(let number)): handle = Int(number)
            case ("count", .integer(let number)): count = Int(number)
            case ("note", .string(let text)): note = text
            case ("children", .array(let elements)):
                children = []
                children.reserveCapacity(elements.count)
                for element in elements {
                    guard let child = Self(members: element) else { return nil }
                    children.append(child)
                }
                found |= 4
            case ("label", _), ("type", _), ("kind", _), ("text", _), ("address", _), ("handle", _),
                ("count", _), ("note", _), ("children", _), ("cut", .null):
                return nil
            case ("cut", let value):
                guard let cut = try? Cut(json: value) else { return nil }
                self.cut = cut
            default: break
            }
        }
        guard found == 7 else { return nil }
    }

    /// Writes the value. A leaf, of which an answer may have 100,000, without the coder: the same
    /// members in a third of the time where the agent is compiled without optimisation.
    public func json() throws -> JSONValue {
        guard children.isEmpty, cut == nil, address == nil, handle == nil, count == nil, note == nil
        else {
            var coder = MemberCoder()
            var copy = self
            copy.code(&coder)
            try coder.check()
            return coder.json
        }
        var members: [JSONMember] = []
        members.reserveCapacity(5)
        if let label { members.append(JSONMember("label", .string(label))) }
        members.append(JSONMember("type", .string(type)))
        members.append(JSONMember("kind", .string(kind.rawValue)))
        if let text { members.append(JSONMember("text", .string(text))) }
        members.append(JSONMember("children", .array([])))
        return .object(members)
    }
}

extension ValueNode.Cut {
    /// An empty one, to be read into.
    public init() { self.init(reason: "") }

    /// Names the members.
    public mutating func code(_ coder: inout MemberCoder) {
        coder.member("reason", &reason)
        coder.member("omitted", &omitted)
    }
}

extension ValueNode {
    /// A value requested by its name may exist and be unreadable.
    package var exitStatus: ExitStatus { kind == .unavailable ? .missing : .done }
}
#endif
