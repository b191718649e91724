#if TELLTALE_COMPILED
/// A coding key that can be any member's name or any index.
struct JSONCodingKey: CodingKey {
    private let name: String?
    let intValue: Int?

    /// Formatted only when it is asked for: each element of an array has one.
    var stringValue: String { name ?? "\(intValue ?? 0)" }

    init(_ string: String) {
        name = string
        intValue = Int(string)
    }

    init(index: Int) {
        name = nil
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(index: intValue) }
}
#endif
