import Foundation
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// `watch PATH`, over the built client.
@Suite(.timeLimit(.minutes(3)))
struct WatchTests {
    @Test("each value, then what has changed, and an end after so many looks")
    func changes() throws {
        let host = try TestHost()
        let watched = try host.shell(
            """
            "$TELLTALE_CLIENT" $PID watch photos.settings.quality "(photos.items.count + 1)" \
            plain.limit --every 100ms --count 40 & \
            sleep 0.5; "$TELLTALE_CLIENT" $PID set photos.settings.quality 81 >/dev/null; wait
            """)
        let lines = watched.output.split(separator: "\n").map { $0.drop { $0 != "Z" }.dropFirst(2) }
        #expect(
            lines == [
                "photos.settings.quality: 80", "(photos.items.count + 1): 4", "plain.limit: 12",
                "photos.settings.quality: 80 -> 81",
            ], "\(watched)")
        #expect(watched.status == 0)
    }

    @Test("one document as JSON, and a secret is one value")
    func json() throws {
        let host = try TestHost()
        let outcome = try host.telltale([
            "--json", "\(host.pid)", "watch", "photos.apiToken", "photos.nothing", "--every",
            "10ms",
            "--count", "3",
        ])
        let answer = try JSONParser.parse(Array(outcome.output.utf8), limits: .answer)
        #expect(answer["looks"] == .integer(3))
        guard case .array(let changes)? = answer["changes"],
            case .array(let values)? = answer["values"]
        else {
            Issue.record("\(outcome)")
            return
        }
        #expect(changes.first?["to"]?["$masked"] == .bool(true))
        #expect(changes.count == 2)
        guard case .string(let failure)? = values[1]["failure"] else {
            Issue.record("\(outcome)")
            return
        }
        #expect(failure.contains("has no stored property 'nothing'"))
        #expect(!outcome.output.contains("PLANTED"))
        // Another command is repeated unchanged; a program gets a line for each new answer.
        let lines = try host.telltale([
            "--json=lines", "\(host.pid)", "watch", "objects", "--every", "20ms", "--count", "3",
        ])
        #expect(lines.status == 0 && lines.output.split(separator: "\n").count == 1, "\(lines)")
        #expect(lines.output.hasPrefix(#"{"version":1,"kind":"objects""#), "\(lines)")
        let text = try host.telltale([
            "\(host.pid)", "watch", "get", "photos.items.count", "--every", "20ms", "--count", "2",
        ])
        #expect(text.output.contains("every 20 ms: get photos.items.count\n3\n"), "\(text)")
        let refused = try host.telltale(["\(host.pid)", "watch", "set", "photos.prompt", "\"x\""])
        #expect(refused.status == 2 && refused.errors.contains("set can't be watched"))
        let endless = try host.telltale(["--json", "\(host.pid)", "watch", "plain.limit"])
        #expect(endless.status == 2)
        #expect(endless.output.contains("--count N"))
    }

    @Test("it ends with its client, and nothing is left in the service")
    func ends() throws {
        let host = try TestHost()
        let before = try host.footprintAtRest()
        let outcome = try host.shell(
            "timeout -s INT 1 \"$TELLTALE_CLIENT\" $PID watch photos.items.count --every 20ms")
        #expect(outcome.output.contains("photos.items.count: 3"))
        #expect(outcome.status != 0)
        try waitUntil("the host is as it was") {
            let now = try host.footprintAtRest()
            return now.threads <= before.threads && now.descriptors <= before.descriptors
        }
        let wrong = try host.telltale(["\(host.pid)", "watch", "photos.items where"])
        #expect(wrong.status == 2)
        for (path, reason, hint) in [
            ("photo", "nothing is registered as `photo`", "did you mean photos?"),
            ("photos.promt", "has no stored property 'promt'", "did you mean prompt?"),
        ] {
            let unknown = try host.telltale(["\(host.pid)", "watch", path])
            #expect(unknown.status == 1 && unknown.output.isEmpty, "\(unknown)")
            #expect(unknown.errors.contains(reason), "\(unknown)")
            #expect(unknown.errors.contains(hint), "\(unknown)")
        }
    }

    @Test("a service that ends, ends it; help says what a look costs")
    func gone() throws {
        let host = try TestHost()
        let outcome = try host.shell(
            "{ sleep 0.5; kill -KILL $PID; } & \"$TELLTALE_CLIENT\" $PID watch plain.limit --every 50ms"
        )
        #expect(outcome.output.contains("plain.limit: 12"))
        #expect(outcome.status == 3, "\(outcome)")
        #expect(
            try TestHost().telltale(["help", "watch"]).output.contains(
                "Each read runs once on the owner"))
    }
}
