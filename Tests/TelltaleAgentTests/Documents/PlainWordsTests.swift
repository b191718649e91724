import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Phrases that readers of the pages stumbled over do not return.
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
        "the program has not used it",
    ]

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
