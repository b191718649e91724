#if TELLTALE_AGENT
import TelltaleProtocol

/// A call's signature with a mark below the parameter in error. The typed argument is not repeated, because
/// it may be a secret.
enum ArgumentMark {
    /// The text `photos.add(String, count: Int)`, with `^~~~~~~~~~` below the second parameter.
    static func text(_ name: String, _ parameters: [String], at index: Int) -> String {
        let line = "\(name)(\(parameters.joined(separator: ", ")))"
        guard parameters.indices.contains(index) else { return line }
        let before = "\(name)(" + parameters[..<index].map { $0 + ", " }.joined()
        let mark = "^" + String(repeating: "~", count: max(0, parameters[index].count - 1))
        return line + "\n" + String(repeating: " ", count: before.count) + mark
    }
}
#endif
