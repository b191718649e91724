import TelltaleTestSupport
import Testing

/// Paths that lead through an actor from an object with another owner.
@Suite(.timeLimit(.minutes(3)))
struct ActorPathTests {
    @Test("an actor's storage is not written from its owner's queue, in a transaction neither")
    func refused() throws {
        let host = try TestHost(["methods"])
        for command in [
            "album.vault.total = 5", "set --raw album.vault.total 5",
            "set --preview album.vault.total 5",
            "album.vault.total += 1", "album.vault.picture.title = \"x\"",
            "call --yes album.vault.picture.shout()", "album.count = album.vault.total",
        ] {
            let outcome = try host.telltale(["\(host.pid)", command])
            #expect(outcome.status != 0, "\(command): \(outcome)")
            #expect(outcome.errors.contains("album.vault is an actor"), "\(command): \(outcome)")
        }
        let hint = try host.telltale(["\(host.pid)", "album.vault.total = 5"]).errors
        #expect(hint.contains("album.vault.METHOD(…)"), "\(hint)")
        let collected = try host.shell(
            #"printf '%s\n' "$@" | "$TELLTALE_CLIENT" "$PID" -"#,
            arguments: ["begin", "album.count = 1", "album.vault.total = 7", "commit"])
        #expect(collected.errors.contains("album.vault is an actor"), "\(collected)")
        #expect(try host.telltale(["\(host.pid)", "get", "vault.total"]).output.contains("0"))
    }

    @Test("it is written on the actor, and a lock in it from anywhere")
    func allowed() throws {
        let host = try TestHost(["methods"])
        for (command, shown) in [
            ("vault.total = 5", "0 -> 5"), ("vault.picture.title = \"x\"", "\"v\" -> \"x\""),
            ("album.vault.guarded = 3", "1 -> 3"), ("undo 3", "3 -> 1"),
            ("call --yes album.vault.add(1)", ": 1 "),
        ] {
            let outcome = try host.telltale(["\(host.pid)", command])
            #expect(outcome.status == 0, "\(command): \(outcome)")
            #expect(outcome.output.contains(shown), "\(command): \(outcome)")
        }
    }
}
