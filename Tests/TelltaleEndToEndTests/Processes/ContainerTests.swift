import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Environments of services: other namespaces, other users, no writable disk. Each needs root to be
/// staged.
@Suite(.serialized, .timeLimit(.minutes(2)), .enabled(if: ProcessIdentity.uid == 0, "needs root"))
struct ContainerTests {
    /// A host in a place of its own, and a client in the same place; both end with the script.
    private func stage(
        _ place: String,
        client: String = #""$CLIENT" "$(sed -n 's/READY //p' "$WORK/out")" status"#,
        environment: [String: String] = [:]
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
            "/usr/bin/timeout", ["-k", "1", "60", "/bin/bash", "-c", "exec 2>&1; \(script)"],
            environment: [
                "HOST": try BuiltProgram.path(of: "telltale-test-host"),
                "CLIENT": try BuiltProgram.path(of: "telltale"), "WORK": folder.path,
                "INSIDE": Self.inside(client),
            ].merging(environment) { $1 })
        let bytes = program.readToEnd(until: .now.advanced(by: .seconds(70))) ?? []
        _ = program.waitUntilExit()
        return StolenTime.removed(from: String(decoding: bytes, as: UTF8.self))
    }

    // A compiler that is the first to write into .build leaves it closed to other users (0750).
    private static let openToAll = #"""
        chmod 777 "$WORK"
        ln "$HOST" "$CLIENT" "$WORK" 2>/dev/null || cp "$HOST" "$CLIENT" "$WORK" || exit 1
        HOST="$WORK/${HOST##*/}"; CLIENT="$WORK/${CLIENT##*/}"

        """#

    // Starts the host, waits for its first line, runs the client, ends the host.
    private static func inside(_ client: String) -> String {
        """
        "$HOST" <> "$WORK/in" > "$WORK/out" 2> "$WORK/err" &
        for i in $(seq 600); do grep -q READY "$WORK/out" && break; sleep 0.05; done
        \(client)
        kill %1; exit 0
        """
    }

    @Test("as pid 1 of a pid namespace it is found from inside")
    func pidOne() throws {
        let output = try stage(
            """
            unshare --pid --mount-proc --fork --kill-child bash -c '
                (for i in $(seq 600); do grep -q READY "$WORK/out" && break; sleep 0.05; done
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
            Self.openToAll
                + #"setpriv --reuid 54321 --regid 54321 --clear-groups --no-new-privs bash -c "$INSIDE""#
        )
        #expect(output.contains("running up="), "\(output)")
    }

    /// The capabilities that Docker leaves to root, without `CAP_SYS_PTRACE`.
    private static let ofDocker =
        "-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,"
        + "+net_raw,+sys_chroot,+mknod,+audit_write,+setfcap"

    /// A host as a user in a mount namespace with a `/tmp` of its own, and four clients outside of it.
    @Test("in a /tmp of its own it is reached by those whom the kernel lets through /proc/PID/root")
    func privateTmp() throws {
        let asUser = "setpriv --reuid 54321 --regid 54321 --clear-groups"
        let own = "\(asUser) --bounding-set -all --inh-caps -all"
        let output = try stage(
            Self.openToAll + #"""
                start() {
                    rm -f "$WORK/out"
                    unshare -m bash -c 'mount -t tmpfs -o mode=1777 tmpfs /var/tmp
                        export TELLTALE_DIRECTORY=/var/tmp/own
                        exec \#(asUser) '"$1"' bash -c "mkdir -m 700 /var/tmp/own; exec \"\$HOST\""' \
                        <> "$WORK/in" > "$WORK/out" 2> "$WORK/err" &
                    for i in $(seq 600); do grep -q READY "$WORK/out" && break; sleep 0.05; done
                    pid="$(sed -n 's/READY //p' "$WORK/out")"
                }
                ask() {
                    who="$1"; shift; "$@" true || return
                    answer="$("$@" "$CLIENT" "$pid" status 2>&1)"
                    case "$answer" in
                    *" running "*) echo "$who: yes" ;;
                    *"the kernel does not let telltale look"*) echo "$who: no, refused" ;;
                    *) echo "$who: no: $answer" ;;
                    esac
                }
                start ""
                ask "root with all" env
                ask "root with Docker's" setpriv --bounding-set \#(Self.ofDocker) --inh-caps -all
                ask "its user" \#(own)
                kill $!; wait $!
                start "--inh-caps +net_bind_service --ambient-caps +net_bind_service"
                ask "its user, with less" \#(own)
                kill $!; exit 0
                """#)
        for answer in [
            "root with all: yes", "root with Docker's: no, refused", "its user: yes",
            "its user, with less: no, refused",
        ] {
            #expect(output.contains(answer), "no '\(answer)' in \(output)")
        }
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

    /// Commands that need no privilege work without any; the others say so.
    private static let tour =
        #"""
        pid="$(sed -n 's/READY //p' "$WORK/out")"
        "$CLIENT" "$pid" status; "$CLIENT" "$pid" get answer; "$CLIENT" "$pid" get photos.items.count
        "$CLIENT" "$pid" show plain; "$CLIENT" "$pid" info
        "$CLIENT" "$pid" dump | grep -E " (BEGIN|END) "; "$CLIENT" "$pid" show photos --snapshot
        kill -USR1 %1; until grep -q "by SIGUSR1" "$WORK/err"; do sleep 0.02; done; echo signalled
        """#

    private static func expectTour(_ output: String) {
        for part in [
            " running up=", "\n42\n", "\n3\n", "limit: 12", " d1 BEGIN ", " d1 END ", "signalled",
            "Success Kid",
        ] {
            #expect(output.contains(part), "no '\(part)' in \(output)")
        }
    }

    @Test("without any capability and with no_new_privs everything works")
    func noCapabilities() throws {
        let output = try stage(
            Self.openToAll + #"""
                setpriv --no-new-privs --bounding-set -all --inh-caps -all --ambient-caps -all \
                    --reuid 54321 --regid 54321 --clear-groups true || exit 1
                setpriv --no-new-privs --bounding-set -all --inh-caps -all --ambient-caps -all \
                    --reuid 54321 --regid 54321 --clear-groups bash -c "grep CapEff /proc/self/status; $INSIDE"
                """#, client: Self.tour)
        #expect(output.contains("CapEff:\t0000000000000000"), "\(output)")
        Self.expectTour(output)
    }

    @Test("with process_vm_readv refused by a seccomp filter everything works")
    func seccomp() throws {
        let shim = try PreloadedShim()
        let output = try stage(
            #"bash -c "$INSIDE""#, client: Self.tour + "\ngrep Seccomp: /proc/$pid/status",
            environment: shim.environment().merging(["TELLTALE_TEST_SECCOMP": "1"]) { $1 })
        #expect(output.contains("Seccomp:\t2"), "\(output)")
        Self.expectTour(output)
    }

    // The client stays outside: the runtime in its one static file ends it where /proc is missing.
    @Test("without /proc what can be had is had, and the rest is said")
    func noProc() throws {
        let output = try stage(
            #"""
            unshare -m bash -c 'mount -t tmpfs none /proc &&
                exec "$HOST" <> "$WORK/in" > "$WORK/out" 2> "$WORK/err"' &
            for i in $(seq 600); do grep -q READY "$WORK/out" && break; sleep 0.05; done
            export TELLTALE_DIRECTORY=/tmp/telltale-0
            # The host's /proc as it sees it: nothing is in it.
            (cd "/proc/$!" && ls -l root/proc)
            for socket in /tmp/telltale-0/$!-*.sock; do
                for command in status "get answer" "get photos.items.count" info; do
                    "$CLIENT" "$socket" $command
                done
                "$CLIENT" "$socket" dump | grep -E " (BEGIN|END) "
            done
            kill -USR1 $!; until grep -q "by SIGUSR1" "$WORK/err"; do sleep 0.02; done
            echo signalled
            kill -9 $!
            """#)
        for part in [
            "total 0", " running ", "\n42\n", "\n3\n", " d1 BEGIN ", " d1 END ", "signalled",
            "not available",
        ] {
            #expect(output.contains(part), "no '\(part)' in \(output)")
        }
    }

    @Test("in an inner pid namespace it is found from outside, by either pid")
    func innerNamespace() throws {
        let output = try stage(
            """
            unshare --pid --mount-proc --fork --kill-child bash -c '
                exec "$HOST" <> "$WORK/in" > "$WORK/out"' &
            for i in $(seq 600); do grep -q READY "$WORK/out" && break; sleep 0.05; done
            outer="$(cat /proc/$!/task/$!/children)"; outer="${outer% }"
            echo "outer $outer"
            "$CLIENT" "$outer" status; "$CLIENT" "$outer" get answer
            "$CLIENT" list 2>&1 || "$CLIENT"
            kill -9 $!
            """)
        #expect(output.contains("running up="), "\(output)")
        #expect(output.contains("\n42\n"), "\(output)")
    }

    @Test("several services that are all pid 1 share one volume, each with its own socket")
    func sharedVolume() throws {
        let output = try stage(
            """
            mkdir -m 700 "$WORK/shared"; export TELLTALE_DIRECTORY="$WORK/shared"
            for n in 1 2 3; do
                mkfifo "$WORK/in$n"
                TELLTALE_NAME=service$n unshare --pid --mount-proc --fork --kill-child bash -c '
                    exec "$HOST" <> "$WORK/in'$n'" > "$WORK/out'$n'"' &
            done
            for n in 1 2 3; do
                for i in $(seq 600); do grep -q READY "$WORK/out$n" && break; sleep 0.05; done
            done
            ls "$WORK/shared"
            for socket in "$WORK"/shared/1-*.sock; do "$CLIENT" "$socket" status; done
            for n in 1 2 3; do "$CLIENT" service$n get answer && echo "answered $n"; done
            kill -9 $(jobs -p)
            """)
        // Two that begin in the same hundredth of a second would have the same name; the second says so.
        let refused = output.components(separatedBy: "another process answers at").count - 1
        let answered = output.components(separatedBy: "answered ").count - 1
        #expect(answered + refused == 3, "\(output)")
        #expect(answered >= 1)
        #expect(
            output.components(separatedBy: "(1) running up=").count - 1 == answered, "\(output)")
    }
}
