import Foundation

/// The documentation comments of types and their properties.
final class SourceComments {
    private var texts: [String: String] = [:]

    init() {
        for folder in ["TelltaleProtocol", "TelltaleClient"] {
            let root = RepositoryFile.root + "/Sources/" + folder
            let files = FileManager.default.enumerator(atPath: root)
            while let name = files?.nextObject() as? String {
                guard name.hasSuffix(".swift"),
                    let text = try? String(contentsOfFile: root + "/" + name, encoding: .utf8)
                else { continue }
                read(text)
            }
        }
    }

    func text(of type: String) -> String? { texts[type] }
    func text(of type: String, _ member: String) -> String? { texts["\(type).\(member)"] }

    /// Relies on the indentation, which is checked: a declaration's parts are indented by four more
    /// spaces.
    private func read(_ text: String) {
        var outer: [(indent: Int, name: String)] = []
        var comment: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let indent = line.prefix { $0 == " " }.count
            let code = line.dropFirst(indent)
            if code.hasPrefix("///") {
                comment.append(String(code.dropFirst(3)).trimmingCharacters(in: .whitespaces))
                continue
            }
            defer { if !code.hasPrefix("@") { comment = [] } }
            guard !code.isEmpty, !code.hasPrefix("#") else { continue }
            while let last = outer.last, last.indent >= indent { outer.removeLast() }
            let words = code.split { " :={(<".contains($0) }.map(String.init)
            guard
                let keyword = words.firstIndex(where: {
                    ["struct", "class", "enum", "extension", "var", "let"].contains($0)
                }), keyword < 4, keyword + 1 < words.count
            else { continue }
            let name = (outer.map(\.name) + [words[keyword + 1]]).joined(separator: ".")
            if let said = Self.sentence(comment) { texts[name] = said }
            if !["var", "let"].contains(words[keyword]) {
                outer.append((indent, words[keyword + 1]))
            }
        }
    }

    /// The first paragraph on one line.
    private static func sentence(_ lines: [String]) -> String? {
        let text = lines.prefix { !$0.isEmpty && !$0.hasPrefix("- ") }.joined(separator: " ")
        return text.isEmpty ? nil : text.replacing("``", with: "`")
    }
}
