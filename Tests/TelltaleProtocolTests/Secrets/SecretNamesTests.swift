import TelltaleTestSupport
import Testing

@testable import TelltaleProtocol

@Suite("Names of secrets are told from names that only look alike")
struct SecretNamesTests {
    @Test("every name of the corpus is judged as it says")
    func corpus() {
        let names = SecretNames.standard
        #expect(SecretCorpus.secrets.filter { !names.matches($0) } == [])
        #expect(SecretCorpus.harmless.filter { names.matches($0) } == [])
        #expect(SecretCorpus.counts.filter { names.matches($0, value: .number) } == [])
        #expect(SecretCorpus.counts.filter { !names.matches($0) } == [])
        // A Bool tells nothing of a secret, whatever it is called.
        #expect(SecretCorpus.secrets.filter { names.matches($0, value: .truth) } == [])
        #expect(Set(SecretCorpus.secrets).count >= 100)
        #expect(Set(SecretCorpus.harmless).count >= 50)
        #expect(Set(SecretCorpus.secrets).isDisjoint(with: SecretCorpus.harmless))
    }

    @Test("a name is one in camel, snake and kebab case, with digits, and in capitals")
    func spellings() {
        let names = SecretNames.standard
        for words in [
            ["db", "pass"], ["api", "key"], ["user", "password"], ["access", "token"],
        ] {
            let camel =
                words[0]
                + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            for name in [
                camel, words.joined(separator: "_"), words.joined(separator: "-"),
                words.joined(separator: "_").uppercased(), words.joined(separator: " "),
                words.joined(separator: "."), camel + "2", "_" + camel,
                "x-" + words.joined(separator: "-"),
            ] {
                #expect(names.matches(name), "\(name)")
            }
        }
    }

    @Test(
        "a secret is found wherever it stands in a long name; one that is too long is taken for one"
    )
    func long() {
        let names = SecretNames.standard
        for count in [31, 32, 33, 100, 500] {
            let words = String(repeating: "a-", count: count)
            #expect(names.matches(words + "password"), "\(count)")
            #expect(names.matches("password-" + words), "\(count)")
            #expect(!names.matches(words + "b"), "\(count)")
        }
        #expect(!names.matches(String(repeating: "x", count: SecretNames.longestName)))
        #expect(names.matches(String(repeating: "x", count: SecretNames.longestName + 1)))
        #expect(names.matches(String(repeating: "Aa", count: 100_000)))
    }

    @Test("names that the host adds match whole words, whatever their values are")
    func additional() {
        let names = SecretNames(additional: ["ssn", "bankAccount", "", "--"])
        for name in ["ssn", "userSSN", "ssn_hash", "bank_account", "BANK-ACCOUNT-2"] {
            #expect(names.matches(name, value: .truth), "\(name)")
        }
        for name in ["lesson", "bank", "account", "assn"] { #expect(!names.matches(name)) }
    }

    @Test("short names are secrets in a query only")
    func query() {
        let names = SecretNames.standard
        for name in ["code", "sig", "signature", "sid"] {
            #expect(names.matches(name, in: .query))
            #expect(!names.matches(name))
        }
        #expect(!names.matches("page", in: .query))
    }

    @Test("the page of secrets has the names of the corpus")
    func page() throws {
        let page = try RepositoryFile.text("Docs/Secrets.md")
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        func list(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }
        #expect(page.contains("(" + list(SecretCorpus.examples) + "…)"))
        #expect(page.contains("(" + list(SecretCorpus.harmlessExamples) + ")"))
        #expect(page.contains("Tests/TelltaleProtocolTests/Secrets/SecretCorpus.swift"))
    }
}
