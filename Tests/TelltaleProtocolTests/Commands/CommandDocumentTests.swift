import Foundation
import TelltaleTestSupport
import Testing

@testable import TelltaleProtocol

/// The tables of commands and the grammar page against the list of commands, in both directions.
@Suite("What is written of the commands")
struct CommandDocumentTests {
    private static let words = Set(CommandTable.all.flatMap { [$0.name] + $0.aliases })

    /// The cells of the table that begins with `head`, but for its head.
    private static func table(_ head: String, in text: String) -> [[String]] {
        let lines = text.components(separatedBy: "\n")
        guard let first = lines.firstIndex(where: { $0.hasPrefix(head) }) else { return [] }
        return lines[(first + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            line.replacing("\\|", with: "\u{1}").split(separator: "|").map {
                $0.replacing("\u{1}", with: "|").trimmingCharacters(in: .whitespaces)
            }
        }
    }

    /// Returns the texts in backquotes.
    private static func code(_ cell: String) -> [String] {
        cell.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }

    @Test("the page of the commands has every command, and no other word and option")
    func page() throws {
        let text = try RepositoryFile.text("Docs/Commands.md")
        let section = text.components(separatedBy: "\n## All commands\n").dropFirst().joined()
        let named = try Self.namedWords(in: Self.table("| | |", in: section))
        #expect(Set(CommandTable.names).subtracting(named) == [])
    }

    @Test("the README's table has ten commands, which there are, with options that there are")
    func readme() throws {
        let rows = Self.table("| command |", in: try RepositoryFile.text("README.md"))
        #expect(rows.count == 10)
        // `PATH = VALUE` has no word.
        #expect(try Self.namedWords(in: rows).count == 9)
    }

    /// Returns the commands in the first column of a table; checks that each is known, with its options.
    private static func namedWords(in rows: [[String]]) throws -> Set<String> {
        let typed = rows.flatMap { Self.code($0[0]) }
        var named: Set<String> = []
        for line in typed where !line.hasPrefix("PATH") {
            let word = String(line.prefix { $0 != " " })
            named.insert(word)
            let command = try #require(CommandTable.command(named: word), "\(line)")
            for option in line.split(whereSeparator: { " []|".contains($0) })
            where option.hasPrefix("-") {
                #expect(command.description.options.contains(String(option)), "\(line)")
            }
        }
        #expect(named.subtracting(Self.words) == [])
        return named
    }

    @Test("the grammar page has a row for each method, with its answer and its effect")
    func methods() throws {
        let rows = Self.table("| method |", in: try RepositoryFile.text(RepositoryFile.grammarPage))
        let methods = CommandTable.methods.filter { !$0.description.endsSession }
        #expect(
            Set(rows.map { $0[0] }) == Set(methods.map { "`\($0.description.name)`" }))
        for method in methods {
            let description = method.description
            let row = rows.first { $0[0] == "`\(description.name)`" }
            #expect(row?.dropFirst(2).first == "`\(method.answerKind)`", "\(description.name)")
            #expect(row?.last == (description.effect == .changes ? "yes" : "no"))
        }
    }

    @Test("the grammar page has a row for each kind of answer")
    func kinds() throws {
        let rows = Self.table("| `kind` |", in: try RepositoryFile.text(RepositoryFile.grammarPage))
        let methods = CommandTable.methods.filter { !$0.description.endsSession }
        #expect(Set(rows.map { $0[0] }) == Set(methods.map { "`\($0.answerKind)`" }))
    }

    /// The words in quotes of one part of the grammar.
    private static func literals(_ text: String) -> [String] {
        text.components(separatedBy: "'").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }

    /// One rule of the grammar.
    private static func rule(_ name: String) throws -> String {
        let text = try RepositoryFile.text(RepositoryFile.grammarPage)
        let rest = text.components(separatedBy: "\n\(name) ").dropFirst().joined()
        return rest.components(separatedBy: " ;").first ?? ""
    }

    /// Its alternatives: those of parts in brackets belong to their part.
    private static func alternatives(_ rule: String) -> [String] {
        var parts = [""]
        var depth = 0
        for character in rule.drop(while: { $0 != "=" }).dropFirst() {
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            if character == "|", depth == 0 {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    }

    @Test("the grammar has every word of every command and every option, and no other")
    func grammar() throws {
        let rule = try Self.rule("command")
        // `( 'suspend' | 'resume' ) queue` has two words at its head, others one.
        let heads = Self.alternatives(rule).flatMap { part -> [String] in
            guard part.hasPrefix("(") else { return Array(Self.literals(part).prefix(1)) }
            return Self.literals(String(part.prefix { $0 != ")" }))
        }
        #expect(Set(heads) == Self.words)
        let options = Self.literals(rule + (try Self.rule("option"))).filter {
            $0.hasPrefix("--")
        }
        #expect(Set(options) == Set(CommandTable.all.flatMap(\.options)))
    }
}
