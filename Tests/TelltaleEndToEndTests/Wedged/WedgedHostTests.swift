import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The first promise: it answers when the host is wedged.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct WedgedHostTests {
    @Test("an owner that doesn't answer costs one marked line, and the dump ends")
    func blockedOwner() throws {
        let host = try TestHost()
        try host.perform("block")
        let began = MonotonicTime.now
        host.send(SIGUSR1)
        let text = try host.waitForError(containing: " END ")
        // Bounded, whatever else the machine has to do.
        #expect(MonotonicTime.now.since(began) < .seconds(20))
        #expect(text.contains("VERDICT no answer from queue test.photos"))
        #expect(text.contains("photos PhotoLibrary on queue test.photos: UNANSWERED"))
        #expect(text.contains("queue test.photos\n"))
        #expect(text.contains(" store: Store"))
        let outcome = try host.telltale(["\(host.pid)", "photos"])
        #expect(outcome.status == 5)
        #expect(outcome.errors.contains("queue test.photos did not answer in 4 s"))
    }

    @Test("a change that could not start in time is cancelled and never made later")
    func cancelledChange() throws {
        let host = try TestHost(environment: ["TELLTALE_OWNER_DEADLINE": "500"])
        try host.perform("block")
        let outcome = try host.telltale(["\(host.pid)", "set", "photos.prompt", "\"late\""])
        #expect(outcome.status == 5)
        #expect(outcome.errors.contains("will not be made later"))
        try host.perform("unblock")
        #expect(try host.perform("prompt") == "nil")
        #expect(try host.telltale(["\(host.pid)", "get", "photos.prompt"]).output == "nil\n")
    }

    @Test("a message names the bound that was met: the client's, where that is the shorter one")
    func namedBound() throws {
        let host = try TestHost(environment: ["TELLTALE_OWNER_DEADLINE": "700"])
        try host.perform("block")
        for command in [["get", "photos.prompt"], ["set", "photos.prompt", "\"late\""]] {
            let words = ["\(host.pid)"] + command
            let owners = try host.telltale(["--timeout", "20s"] + words)
            #expect(owners.errors.contains("did not answer in 700 ms (TELLTALE_OWNER_DEADLINE)"))
            let clients = try host.telltale(["--timeout", "600ms"] + words)
            #expect(clients.errors.contains("did not answer in 600 ms (--timeout)"))
            #expect([owners.status, clients.status] == [5, 5])
        }
    }

    @Test("an owner that hangs costs the same few threads, however often it is asked for")
    func askedAgainAndAgain() throws {
        let host = try TestHost(environment: ["TELLTALE_OWNER_DEADLINE": "20"])
        try host.perform("block")
        let before = try #require(ProcessFiles(pid: host.pid).stat?.threads)
        let outcome = try host.shell(
            #"for i in $(seq 100); do "$TELLTALE_CLIENT" "$PID" get photos.prompt; done"#)
        #expect(outcome.errors.contains("queue test.photos did not answer in 20 ms"))
        try waitUntil("it has \(before + 4) threads at most") {
            try #require(ProcessFiles(pid: host.pid).stat?.threads) <= before + 4
        }
        for path in ["store", "cache", "view"] {
            try waitUntil("\(path) answers within 20 ms") {
                try host.telltale(["\(host.pid)", path]).status == 0
            }
        }
    }

    @Test("a snapshot reads what its owner doesn't give")
    func snapshotOfABlockedOwner() throws {
        let host = try TestHost()
        try host.perform("block")
        let outcome = try host.telltale(["\(host.pid)", "show", "photos", "--snapshot"])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("Success Kid"))
        #expect(outcome.output.contains("in a snapshot"))
    }

    @Test("with Dispatch's pool exhausted everything that is not blocked itself is answered")
    func exhaustedPool() throws {
        let host = try TestHost()
        try host.perform("exhaust 600")
        host.send(SIGUSR1)
        let text = try host.waitForError(containing: " END ")
        #expect(text.contains(" photos: PhotoLibrary"))
        #expect(text.contains("store: Store"))
        let outcome = try host.telltale(["\(host.pid)", "get", "photos.items.count"])
        #expect(outcome.output == "3\n")
    }
}
