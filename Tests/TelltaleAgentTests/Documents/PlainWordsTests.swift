import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Phrases that readers stumbled over do not return, on the pages and in the whole tree.
struct PlainWordsTests {
    private static let phrases = [
        // The README and the docs.
        "can be looked into by", "look into it and change it", "it gains an import",
        "on a day when all is well", "also where no client is at hand", "says what was tried",
        "has its page fall silent", "a deadlock that was found", "What the demo tells",
        "so that not in a stripped", "One in a global or a static property too",
        "what refers to other memory may just be changing", "None of them undoes a hold",
        "until all who were named", "a person can talk to the socket",
        "a service that ends in order",
        "anybody can give a process any name", "that who starts it has not", "gets not a byte",
        "a cut by a bound and a masked secret", "and 1.4 are a static executable",
        "with the old and the new value; standard error", "Nothing is typed but the word",
        "nobody is ended for what was once",
        // The help, the errors and the answers.
        "how it is, in one line", "where it stands still", "what was not left yet",
        "the value alone, as it would be typed", "and how near it is to each",
        "facts of the process and of the agent", "with an id an earlier dump again",
        "leave a group for who doesn't", "let a thread go on that waits",
        "let a queue go on that", "make a change again that was undone",
        "calls that go on, and those", "a dump when nothing has moved",
        "nothing is said but answers", "are listed too", "a document a line, as they come",
        "is too much for", "is no command", "nobody listens on",
        "closed the connection without a word",
        "names nothing, or nothing any more", "stores no property of that name",
        "does not decode as one", "where it traps, the service ends", "nothing was put back",
        "what the service has begun, it ends alone", "not made before `commit`",
        "it ends when its code looks", "no call goes on", "its type tells nothing of its inside",
        "moves or has nothing to do", "they may be woken by", "so many tasks that are alike",
        "no function of the service's own)", "no control group bounds it",
        "the program has not used it", "values and answers as they change;",
        "what was collected by", "changes are made as one in one turn",
        "no owner failed to answer", "so many tasks", "what was typed does not decode",
        "waits for a time\"", "wait for a time\"", "goes on by itself when that comes",
        "only stored ones can be read", "Hi, I am ", "--json also behind it",
        "an earlier dump again", "is no collection", "not all of it could be captured",
        // The comments.
        "Whether a peek begins behind", "What a thread is to know that comes",
        "whoever begins it again", "nil of what came once", "What it may hang with",
        "Where threads wait until a place", "Set when a plain reading",
        "A way through objects and arrays", "For how long nobody looks",
        "So long after its birth",
    ]

    /// Sources and pages; recorded values and pictures have no sentences of ours.
    private static let kinds = [
        "swift", "c", "h", "md", "json", "txt", "sh", "py", "html", "yml", "modulemap",
    ]
    private static let own = "Tests/TelltaleAgentTests/Documents/PlainWordsTests.swift"

    @Test("no file of the tree has a phrase that was replaced")
    func tree() throws {
        var found: [String] = []
        var count = 0
        let all = try #require(FileManager.default.enumerator(atPath: RepositoryFile.root))
        while let name = all.nextObject() as? String {
            let last = name.split(separator: "/").last ?? ""
            // `.git`, `.build`
            if last.hasPrefix(".") {
                all.skipDescendants()
            } else if name != Self.own, let dot = last.lastIndex(of: "."),
                Self.kinds.contains(String(last[last.index(after: dot)...]))
            {
                count += 1
                found += Self.places(in: try RepositoryFile.text(name), of: name)
            }
        }
        #expect(count > 500)
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    /// `file:line: phrase`. Sentences that are broken into two lines are not found here.
    private static func places(in text: String, of name: String) -> [String] {
        // libc's search: one in Swift's strings took over a minute for the tree.
        let present = text.withCString { whole in phrases.filter { strstr(whole, $0) != nil } }
        guard !present.isEmpty else { return [] }
        var places: [String] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            for phrase in present where line.contains(phrase) {
                places.append("\(name):\(index + 1): \(phrase)")
            }
        }
        return places
    }

    @Test("the README is an introduction, and the index has every page")
    func length() throws {
        let readme = try RepositoryFile.text("README.md")
        #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 220)
        let index = try RepositoryFile.text("Docs/README.md")
        for name in DirectoryListing.names(in: "\(RepositoryFile.root)/Docs")
        where name != "README.md" {
            #expect(index.contains("(\(name))"), "\(name)")
        }
    }

    @Test("no page has a phrase that was replaced")
    func pages() throws {
        let names = DirectoryListing.names(in: "\(RepositoryFile.root)/Docs")
            .filter { $0.hasSuffix(".md") }.map { "Docs/\($0)" }
        #expect(names.count > 20)
        for name in ["README.md"] + names {
            let text = try RepositoryFile.text(name).split(whereSeparator: \.isWhitespace)
                .joined(separator: " ")
            for phrase in Self.phrases {
                #expect(!text.localizedCaseInsensitiveContains(phrase), "\(name): \(phrase)")
            }
        }
    }
}
