import Foundation
import TelltaleProtocol
import TelltaleTestSupport
import Testing

/// A host that registers the objects of each of its sessions, on a queue of its own, and releases
/// them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SessionRegistrationTests {
    private func left(_ host: TestHost) throws -> Int {
        try #require(Int(try host.perform("sessions left")))
    }

    @Test(
        "the queues of sessions that are over are not kept, with an agent and without",
        arguments: [[], ["unstarted"]])
    func queues(_ options: [String]) throws {
        let host = try TestHost(options)
        #expect(try host.perform("sessions 3000") == "ended")
        // The names of some that are gone are kept, and nothing else of them.
        try waitUntil("their queues are freed") { try left(host) < 100 }
    }

    @Test("a session that takes its names back has nothing kept")
    func ended() throws {
        let host = try TestHost()
        #expect(try host.perform("sessions 1000 ended") == "ended")
        try waitUntil("their queues are freed") { try left(host) == 0 }
        let queues = try host.telltale(["\(host.pid)", "queues", "--all"])
        #expect(queues.status == 0 && !queues.output.contains("session."), "\(queues.output)")
    }

    @Test("of those that are gone the last ones are listed, and how many there were besides")
    func listed() throws {
        let host = try TestHost()
        #expect(try host.perform("sessions 500") == "ended")
        let pid = "\(host.pid)"
        var names: [Substring] = []
        try waitUntil("the others are forgotten") {
            let listing = try host.telltale([pid, "objects"])
            let lines = listing.output.split(separator: "\n")
            names = lines.filter { $0.hasPrefix("session.") && $0.contains("gone") }
                .compactMap { $0.split(separator: " ").first }
            return names.count == 64
                && lines.last == "\(500 - 64) more that are gone, not listed any more"
        }
        let listing = try host.telltale([pid, "objects"]).output
        #expect(listing.contains("queue session.499"), "\(listing)")
        let name = String(try #require(names.last))
        let shown = try host.telltale([pid, "show", name])
        #expect(shown.errors.contains("\(name) is gone: the Session was deallocated"))
        #expect(shown.status == 1)
        let called = try host.telltale([pid, "call", "\(name).reset()"])
        #expect(called.errors.contains("\(name).reset"), "\(called.errors)")
        #expect(called.errors.contains("was deallocated"), "\(called.errors)")
        // The object is gone, whatever it would be asked with.
        let wrong = try host.telltale([pid, "call", "\(name).reset(1, 2)"])
        #expect(wrong.errors.contains("was deallocated"), "\(wrong.errors)")
        let on = try host.telltale([pid, "call", "--on", name, "letGo()"])
        #expect(on.errors.contains("\(name) is gone"), "\(on.errors)")
        // A registration with an ended one's name replaces no object.
        #expect(try host.perform("sessions 1") == "ended")
        let notes = try host.telltale([pid, "info"]).output
        #expect(!notes.contains("registered again"), "\(notes)")
    }
}
