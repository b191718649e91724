#if TELLTALE_COMPILED
/// The members of an object by name; of several of one name the last counts.
///
/// Few are searched, many get a table: a request of 1 MiB has room for 100,000 of them.
struct DecodingMembers {
    private let members: [JSONMember]
    private let table: [String: JSONValue]?

    init(_ members: [JSONMember]) {
        self.members = members
        table =
            members.count > 24
            ? Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }) : nil
    }

    subscript(_ key: String) -> JSONValue? {
        if let table { return table[key] }
        return members.last { $0.key == key }?.value
    }

    /// The names, each once, in their order.
    var keys: [String] {
        var seen: Set<String> = []
        return members.map(\.key).filter { seen.insert($0).inserted }
    }
}
#endif
