/// A page that needs no agent, as a JSON document.
struct Page: Encodable {
    let kind: String
    let text: String
    /// Indicates that a person reads it, and not another program.
    var isRead = false

    enum CodingKeys: CodingKey { case text }
}
