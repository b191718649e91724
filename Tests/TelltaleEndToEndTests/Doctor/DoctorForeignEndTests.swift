import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// `doctor` where the other end of a pipe is in a process that the service may not look at: that is said, and
/// nothing is guessed.
@Suite(.serialized, .timeLimit(.minutes(2)), .enabled(if: ProcessIdentity.uid == 0, "needs root"))
struct DoctorForeignEndTests {
    /// The place of a service.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Run before the service, in its own mount namespace.
        var setup = ":"
        /// The service's user, and its namespace.
        var user = ""
        var within = ""
        /// The service reads a pipe that has a name.
        var isNamed = false
        /// The words about the other end.
        var words = "; who has its writing end isn't known, "
    }

    private static let nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups"
    private static let places = [
        Place(
            testDescription: "its own user",
            words: #"; its only writing end is fd 1 of sleep \(pid [0-9]+\), "#),
        Place(testDescription: "another user", user: nobody),
        Place(
            testDescription: "another user and hidepid", setup: "mount -o remount,hidepid=2 /proc",
            user: nobody),
        Place(
            testDescription: "an inner pid namespace",
            within: "unshare --pid --fork --kill-child --mount-proc"),
        Place(testDescription: "a pipe with a name, which any process may open", isNamed: true),
    ]

    // Mount and pid namespaces of its own, and files that every user can execute.
    private static let script = #"""
        mount -t tmpfs -o mode=1777 tmpfs /tmp || exit 1
        cp "$HOST" /tmp/host; cp "$CLIENT" /tmp/client; chmod 755 /tmp/host /tmp/client
        export TELLTALE_DIRECTORY=/tmp/agents NO_COLOR=1
        mkdir -m 700 /tmp/agents
        [ -n "$USED" ] && chown 65534 /tmp/agents
        eval "$SETUP"
        cd /
        start() { $WITHIN $USED /tmp/host --shape case-input-from-outside > /tmp/out 2>&1; }
        if [ -n "$NAMED" ]; then
            mkfifo /tmp/orders; sleep 60 > /tmp/orders & start < /tmp/orders &
        else
            sleep 60 | start &
        fi
        for i in $(seq 600); do grep -q READY /tmp/out && break; sleep 0.05; done
        for i in $(seq 20); do
            $USED /tmp/client --timeout 30s /tmp/agents/*.sock doctor > /tmp/answer 2>&1
            grep -q WAITS /tmp/answer && break
        done
        cat /tmp/answer
        """#

    @Test("a pipe's other end is named, or said not to be known", arguments: places)
    func told(_ place: Place) throws {
        let program = try StartedProgram(
            "/usr/bin/timeout",
            [
                "-k", "1", "100", "unshare", "--mount", "--pid", "--fork", "--kill-child",
                "--mount-proc", "/bin/bash", "-c", "exec 2>&1; \(Self.script)",
            ],
            environment: [
                "HOST": try BuiltProgram.path(of: "telltale-test-host"),
                "CLIENT": try BuiltProgram.path(of: "telltale"), "SETUP": place.setup,
                "USED": place.user, "WITHIN": place.within, "NAMED": place.isNamed ? "1" : "",
            ])
        let bytes = program.readToEnd(until: .now.advanced(by: .seconds(110))) ?? []
        _ = program.waitUntilExit()
        let text = String(decoding: bytes, as: UTF8.self)
        let pipe = place.isNamed ? "pipe /tmp/orders" : "pipe"
        let line = #"WAITS .* reads fd 0 \(\#(pipe), empty\)"# + place.words + ".*readOrder"
        #expect(text.range(of: line, options: .regularExpression) != nil, "\(text)")
        #expect(text.contains("behind it: 1 item"), "\(text)")
    }
}
