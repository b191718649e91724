#if TELLTALE_AGENT
import TelltaleProtocol

/// What is called, with a mark below the parameter that something is wrong with. What was typed for it is not
/// repeated: nothing tells whether it is a secret.
enum ArgumentMark {
    /// `photos.add(String, count: Int)`, and `^~~~~~~~~~` below the second one.
    static func text(_ name: String, _ parameters: [String], at index: Int) -> String {
        let line = "\(name)(\(parameters.joined(separator: ", ")))"
        guard parameters.indices.contains(index) else { return line }
        let before = "\(name)(" + parameters[..<index].map { $0 + ", " }.joined()
        let mark = "^" + String(repeating: "~", count: max(0, parameters[index].count - 1))
        return line + "\n" + String(repeating: " ", count: before.count) + mark
    }
}
#endif
