import Foundation
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The answers of a service that hangs, on a real terminal: nothing that matters is cut, and no line is
/// wrapped but by us.
@Suite(
    .serialized, .timeLimit(.minutes(3)), .enabled(if: TmuxScreen.isInstalled, "tmux is missing"))
struct AnswerScreenTests {
    /// The members of an answer's document whose texts have to be on the screen, at any position.
    private static let vital: [String: Set<String>] = [
        "stuck": ["function", "file", "queue"], "queues": ["label"],
        "threads": ["name", "state", "call", "queue", "function"],
        "doctor": ["function"], "status": ["name", "mode", "slowestQueue"],
        "changes": ["path", "old", "new", "program", "result"],
        "operations": ["name", "state"], "alive": ["name"], "actors": ["type", "name", "state"],
        "groups": ["address"], "timers": ["kind", "queue"], "semaphores": ["address"],
        "queue photos": ["label", "kind", "function"], "stack main": ["function"],
        "heap": [], "roots": ["name"], "holders wall": ["name"],
        "instances Photo": ["type"], "types Photo": ["name"], "methods PhotoWall": ["name"],
        "objects": ["name", "type", "owner"], "actions": ["name", "owner"],
        "show wall": ["name"], "get wall.columns": ["name"], "help": [], "help stuck": [],
        "limits": ["name", "by"], "info": ["key"], "tasks": [],
    ]

    @Test("the commands to diagnose, look and change at 80x24, 120x40 and 200x50")
    func answers() async throws {
        // Its shells, of which several run at once, only need its folder.
        nonisolated(unsafe) let service = try PhotoService(photos: 2, fault: "ab-ba-sync")
        for change in [
            "wall.columns = 7", "wall.title = \"\(String(repeating: "Lang ", count: 20))\"",
        ] {
            let outcome = try service.shell("telltale photo-manager '\(change)'")
            #expect(outcome.status == 0, "\(outcome.text)")
        }
        // Both wait for longer than `stuck` lets pass.
        try waitUntil("it is stuck") {
            try service.shell("telltale photo-manager alive --after 1s").status == 7
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for size in TmuxScreen.Size.all {
                group.addTask { try answers(of: service, size) }
            }
            try await group.waitForAll()
        }
    }

    private func answers(of service: PhotoService, _ size: TmuxScreen.Size) throws {
        let screen = try TmuxScreen(
            try BuiltProgram.path(of: "telltale"), ["--no-pager", "photo-manager"],
            environment: [
                "TELLTALE_DIRECTORY": service.directory, "NO_COLOR": "1",
                "INPUTRC": "/dev/null", "XDG_STATE_HOME": service.directory,
            ], size: size)
        try screen.waitForPrompt()
        for (command, members) in Self.vital.sorted(by: { $0.key < $1.key }) {
            try check(command, members, on: screen, of: service, size)
        }
    }

    private func check(
        _ command: String, _ members: Set<String>, on screen: TmuxScreen, of service: PhotoService,
        _ size: TmuxScreen.Size
    ) throws {
        let json = try service.shell("telltale --json photo-manager \(command)").text
        let document = try JSONSerialization.jsonObject(with: Data(json.utf8))
        let texts = Set(Self.texts(of: document, under: members)).filter { !$0.isEmpty }
        #expect(command == "operations" || texts.count >= members.count - 1, "\(json)")
        try screen.clear()
        try screen.enter(command)
        try screen.wait("answer to \(command)") { $0.count > 1 && $0.last?.hasSuffix(")>") == true }
        let rows = try screen.allRows()
        #expect(try screen.allRows(joined: true) == rows, "\(command): the terminal has wrapped it")
        #expect(rows.allSatisfy { $0.count <= size.columns })
        let shown = rows.joined().filter { $0 != " " }
        for text in texts {
            // If a path is long, the file's own name is searched for.
            let wanted = text.filter { $0 != " " }
            let last = wanted.split(separator: "/").last.map(String.init) ?? wanted
            #expect(
                shown.contains(wanted) || text.hasPrefix("/") && shown.contains(last),
                "\(command) at \(size.testDescription) lacks '\(text)':\n\(rows.joined(separator: "\n"))"
            )
        }
    }

    /// The texts in members of these names, at any depth; only some frames of a stack are shown.
    private static func texts(of value: Any, under members: Set<String>) -> [String] {
        switch value {
        case let object as [String: Any]:
            object.flatMap { key, value -> [String] in
                if key == "frames" { return [] }
                if members.contains(key), let text = value as? String { return [text] }
                return texts(of: value, under: members)
            }
        case let array as [Any]: array.flatMap { texts(of: $0, under: members) }
        default: []
        }
    }
}
