import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Snapshots of hosts whose own handlers and locks a fork() would meet.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SnapshotTests {
    private func expectSnapshot(_ host: TestHost) throws {
        let outcome = try host.telltale(["\(host.pid)", "show", "photos", "--snapshot"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("Success Kid"), "\(outcome.output)")
        #expect(outcome.output.contains("in a snapshot"))
        // It has no owner, and more than plain words.
        let plain = try host.telltale(["\(host.pid)", "show", "plain"])
        #expect(plain.output.contains("names: [String] 2 elements"), "\(plain.output)")
    }

    @Test("no fork handler of the host's runs, and one that waits for ever holds nobody up")
    func forkHandlers() throws {
        let host = try TestHost()
        try host.perform("copy handlers")
        try expectSnapshot(host)
        #expect(try host.perform("copy handled") == "0")
        // It counts: a fork of the host's runs it.
        let child = try #require(Int32(try host.perform("fork plain")))
        defer { kill(child, SIGKILL) }
        #expect(try host.perform("copy handled") == "1")
        try host.perform("copy block")
        try expectSnapshot(host)
        #expect(try host.perform("copy handled") == "1")
    }

    @Test("a lock of the C library that fork() takes, held for good, holds nobody up")
    func heldLock() throws {
        let host = try TestHost()
        try host.perform("copy stdio")
        try expectSnapshot(host)
        try expectSnapshot(host)
    }

    @Test("a host that keeps its memory from other processes has snapshots all the same")
    func notDumpable() throws {
        // It gives up root for that, and the test's directory is root's.
        let host = try TestHost(environment: ["TELLTALE_DIRECTORY": "", "XDG_RUNTIME_DIR": ""])
        #expect(try host.perform("copy undumpable") == "0")
        // Root reads everyone's memory, so the host gives up root; its socket goes with its user.
        if ProcessIdentity.uid == 0 { try host.waitForError(containing: "; the socket is ") }
        try expectSnapshot(host)
    }

    @Test("where a filter forbids process_vm_readv there are snapshots all the same")
    func filter() throws {
        try expectSnapshot(try TestHost(["no-reading"]))
    }

    @Test("no process of a copy is left")
    func nothingLeft() throws {
        let host = try TestHost()
        for _ in 0..<10 { try expectSnapshot(host) }
        try waitUntil("no child of the host's is there") {
            ProcessList.pids().allSatisfy { ProcessFiles(pid: $0).stat?.parent != host.pid }
        }
    }
}
