import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Where services run: other namespaces, other users, no writable disk. Each needs root to be staged.
@Suite(.serialized, .timeLimit(.minutes(2)), .enabled(if: ProcessIdentity.uid == 0, "needs root"))
struct ContainerTests {
    /// A host in a place of its own, and a client in the same place; both end with the script.
    private func stage(
        _ place: String, client: String = #""$CLIENT" "$(sed -n 's/READY //p' "$WORK/out")" status"#
    ) throws -> String {
        let folder = try TemporaryFolder("telltale-place")
        chmod(folder.path, 0o755)
        let script = """
            cd /
            unset TELLTALE_DIRECTORY XDG_RUNTIME_DIR
            mkfifo -m 666 "$WORK/in"
            \(place)
            """
        let program = try StartedProgram(
            "/usr/bin/timeout", ["-k", "1", "15", "/bin/bash", "-c", "exec 2>&1; \(script)"],
            environment: [
                "HOST": try BuiltProgram.path(of: "telltale-test-host"),
                "CLIENT": try BuiltProgram.path(of: "telltale"), "WORK": folder.path,
                "INSIDE": Self.inside(client),
            ])
        let bytes = program.readToEnd(until: .now.advanced(by: .seconds(20))) ?? []
        _ = program.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }

    // Starts the host, waits for its first line, runs the client, ends the host.
    private static func inside(_ client: String) -> String {
        """
        "$HOST" <> "$WORK/in" > "$WORK/out" &
        for i in $(seq 200); do grep -q READY "$WORK/out" && break; sleep 0.05; done
        \(client)
        kill %1; exit 0
        """
    }

    @Test("as pid 1 of a pid namespace it is found from inside")
    func pidOne() throws {
        let output = try stage(
            """
            unshare --pid --mount-proc --fork --kill-child bash -c '
                (for i in $(seq 200); do grep -q READY "$WORK/out" && break; sleep 0.05; done
                 "$CLIENT" 1 status; "$CLIENT" 1 get answer; touch "$WORK/done") &
                exec "$HOST" <> "$WORK/in" > "$WORK/out"' &
            until [ -e "$WORK/done" ] || ! kill -0 $!; do sleep 0.02; done
            kill -9 $!
            """)
        #expect(output.contains("telltale-test-host(1) running"), "\(output)")
    }

    @Test("as an arbitrary user without a home it is found by that user")
    func arbitraryUser() throws {
        let output = try stage(
            #"chmod 777 "$WORK"; setpriv --reuid 54321 --regid 54321 --clear-groups --no-new-privs bash -c "$INSIDE""#
        )
        #expect(output.contains("running up="), "\(output)")
    }

    @Test("with a read-only root it takes what can be written")
    func readOnlyRoot() throws {
        let output = try stage(
            #"unshare -m bash -c 'mount -t tmpfs tmpfs "$WORK" && mkfifo "$WORK/in" && mount -t tmpfs tmpfs /dev/shm && mount -o remount,ro,bind / ; bash -c "$INSIDE"'"#
        )
        #expect(output.contains("running up="), "\(output)")
    }

    @Test("a client whose XDG_RUNTIME_DIR the service has not finds it")
    func otherEnvironment() throws {
        let output = try stage(
            #"bash -c "$INSIDE""#,
            client:
                #"XDG_RUNTIME_DIR="$WORK" "$CLIENT" "$(sed -n 's/READY //p' "$WORK/out")" status"#)
        #expect(output.contains("running up="), "\(output)")
    }
}
