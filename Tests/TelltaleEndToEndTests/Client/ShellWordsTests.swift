import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The client as a shell's user finds it: completion, help and information of a service that runs.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ShellWordsTests {
    @Test("bash completes commands, options and live paths")
    func bash() throws {
        let host = try TestHost()
        func reply(_ words: String) throws -> [Substring] {
            let line =
                "telltale() { \"$TELLTALE_CLIENT\" \"$@\"; }; eval \"$(telltale --completion bash)\"; "
                + "COMP_WORDS=(telltale $PID \(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
                + "_telltale 2>/dev/null; printf '%s\\n' \"${COMPREPLY[@]}\""
            return try host.shell("exec bash -c \"$1\"", arguments: [line]).output
                .split(separator: "\n")
        }
        // A completion takes 250 ms at most, and the key is pressed again.
        func soon(_ words: String, has candidate: String) throws {
            var last: [Substring] = []
            try waitUntil("'\(words)' has \(candidate), not \(last)") {
                last = try reply(words)
                return last.contains { $0 == candidate }
            }
        }
        try soon("sta", has: "status")
        try soon("show --de", has: "--depth")
        try soon("get photos.se", has: "photos.settings")
        try soon("photos.items[0].state = .i", has: ".idle")
    }

    @Test("the example of a command's help works on this very process")
    func examples() throws {
        let host = try TestHost()
        for command in ["get", "show", "set", "call", "holders", "queue", "watch", "instances"] {
            let help = try host.telltale(["\(host.pid)", "help", command])
            let lines = help.output.split(separator: "\n").map(String.init)
            let example = try #require(lines.last).trimmingCharacters(in: .whitespaces)
            // A minute of repetitions is not needed here.
            let line = example.replacing("--every 1s --count 60", with: "--every 10ms --count 2")
            let outcome = try host.telltale(["\(host.pid)", line])
            #expect(outcome.status == 0, "\(example): \(outcome)")
        }
    }

    @Test("info has how the process was started and what it has open, and no secret of either")
    func info() throws {
        let host = try TestHost(
            [], environment: ["PLANTED_VARIABLE": "open-sesame", "TELLTALE_AUDIT": "off"])
        let info = try host.telltale(["\(host.pid)", "info"]).output
        func row(_ key: String) -> String? {
            info.split(separator: "\n").first { $0.hasPrefix("  \(key) ") }.map(String.init)
        }
        #expect(row("arguments") != nil && row("folder")?.contains("/") == true, "\(info)")
        let environment = try #require(row("environment"))
        #expect(
            environment.contains(" PLANTED_VARIABLE") && !info.contains("open-sesame"), "\(info)")
        #expect(environment.contains("TELLTALE_AUDIT=off"), "\(environment)")
        #expect(row("descriptors")?.contains("socket") == true, "\(info)")
        #expect(info.contains("\nLIMITS\n") && row("core size") != nil, "\(info)")
        let files = try host.telltale(["\(host.pid)", "info", "--files"]).output
        #expect(files.contains(".sock listens (the agent's)\n"), "\(files)")
        #expect(files.contains(" (the agent's reserve) ×"), "\(files)")
        #expect(files.contains("inotify (the agent's)\n"), "\(files)")
        #expect(files.contains("socket unix \(host.directory)/"), "\(files)")
        #expect(files.contains(".sock listens"), "\(files)")
        #expect(
            files.split(separator: "\n").contains { $0.hasPrefix("  0 ") || $0.hasPrefix("  0…") },
            "\(files)")
    }
}
