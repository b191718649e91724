import Foundation
import Synchronization
import TelltaleTestSupport
import Testing

/// The readings of the host's objects for each number without a writer, to compare with readings
/// while eight threads write.
final class WrittenValues: Sendable {
    /// The number of complete answers compared, by their path.
    let compared = Mutex<[String: Int]>([:])
    /// An object's whole answer, by its path and the number it was written for.
    private let wholes: [String: [String: String]]
    /// The possible values of each field of an object without one owner, by its path and name.
    private let fields: [String: Set<String>]

    static let owners = ["serial", "concurrent", "lock", "actor", "main"]
    /// As many as the host writes for.
    private static let numbers = 16

    static func request(_ path: String, more: String = "") -> (String, String) {
        ("show", #"{"path":"\#(path)","depth":16,"limit":1000\#(more)}"#)
    }

    /// Has everything written for each number, and reads it.
    init(of host: TestHost) throws {
        let client = try RawClient(try host.socketPath())
        client.send(line: RawClient.hello)
        _ = client.line()
        var wholes: [String: [String: String]] = [:]
        var fields: [String: Set<String>] = [:]
        for number in 0..<Self.numbers {
            #expect(try host.perform("writers set \(number)") == "set")
            for owner in Self.owners {
                let path = "written.\(owner)"
                let value = try Self.read(path, client)
                let (found, text) = try #require(Self.whole(value), "\(path) has no number")
                #expect(found == "\(number)" && !Self.isCut(value), "\(text.prefix(2000))")
                wholes[path, default: [:]][found] = text
            }
            for (name, text) in Self.parts(try Self.read("written.shared", client)) {
                fields["written.shared \(name)", default: []].insert(text)
            }
        }
        #expect(wholes.values.allSatisfy { $0.count == Self.numbers })
        // A field that is the same for all numbers is read as nothing, or not at all.
        for (name, texts) in fields where !name.hasSuffix("flag") {
            #expect(texts.count >= 4, "\(name) \(texts)")
        }
        (self.wholes, self.fields) = (wholes, fields)
    }

    private static func read(_ path: String, _ client: RawClient) throws -> [String: Any] {
        let (method, parameters) = request(path)
        client.send(line: Attack.request(method, parameters))
        let line = try #require(client.line(seconds: 30))
        let root = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let result = try #require(root?["result"] as? [String: Any], "\(line)")
        return try #require(result["value"] as? [String: Any])
    }

    /// Returns the problem of an answer to a ``request(_:more:)``; `nil` if it is a possible one,
    /// or if it says that it is cut.
    func wrong(_ result: [String: Any]) -> String? {
        guard let path = result["path"] as? String, let value = result["value"] as? [String: Any],
            !Self.isCut(value)
        else { return nil }
        if path == "written.shared" {
            compared.withLock { $0[path, default: 0] += 1 }
            let wrong = Self.parts(value).first { fields["\(path) \($0)"]?.contains($1) != true }
            return wrong.map { "\(path).\($0.0) is torn: \($0.1)" }
        }
        // A frozen copy is of any moment, also of one in which its owner writes.
        guard let whole = wholes[path], result["read"] as? String == "on its owner" else {
            return nil
        }
        guard let (number, text) = Self.whole(value) else { return "\(path) has no number" }
        compared.withLock { $0[path, default: 0] += 1 }
        guard let wanted = whole[number] else { return "\(path) has the number \(number)" }
        return text == wanted ? nil : "\(path) is torn: \(Self.difference(wanted, text))"
    }

    // By the owner's deadline where others have the processors; by the stack that is left, of which a
    // sanitizer takes much.
    private static func isCut(_ value: [String: Any]) -> Bool {
        let note = value["note"] as? String ?? ""
        return value["cut"] != nil || note.contains("nested too deep")
            || (value["children"] as? [[String: Any]] ?? []).contains { isCut($0) }
    }

    private static func difference(_ wanted: String, _ found: String) -> String {
        let same = zip(wanted, found).prefix { $0 == $1 }.count
        let start = max(0, same - 60)
        return
            "'\(found.dropFirst(start).prefix(160))' for '\(wanted.dropFirst(start).prefix(160))'"
    }

    // The number, and all of it. An actor has the object in its only property.
    private static func whole(_ value: [String: Any]) -> (String, String)? {
        let children = value["children"] as? [[String: Any]] ?? []
        if children.count == 1, let only = children.first { return whole(only) }
        let number = children.first { $0["label"] as? String == "number" }
        return (number?["text"] as? String).map { ($0, text(of: value)) }
    }

    private static func parts(_ value: [String: Any]) -> [(String, String)] {
        let children = value["children"] as? [[String: Any]] ?? []
        return children.map { ($0["label"] as? String ?? "", text(of: $0)) }
    }

    /// A value without addresses and handles, and without the order of unordered collections.
    private static func text(of value: [String: Any]) -> String {
        let label = value["label"] as? String ?? ""
        // Its state is another one with each look.
        if label == "task" { return label }
        let kind = value["kind"] as? String ?? ""
        var children = (value["children"] as? [[String: Any]] ?? []).map { child in
            var child = child
            if kind == "set" { child["label"] = nil }
            return text(of: child)
        }
        if kind == "set" || kind == "dictionary" { children.sort() }
        let shown = ["text", "note", "count"].map { key in value[key].map { "\($0)" } ?? "" }
            .joined(separator: " ")
            .replacing(/0x[0-9a-f]+/, with: "0x")
            .replacing(/#[0-9]+/, with: "#")
        return
            "\(label): \(value["type"] ?? "") \(shown) [\(children.joined(separator: ", "))]"
    }
}
