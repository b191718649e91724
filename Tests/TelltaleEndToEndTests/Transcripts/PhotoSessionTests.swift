import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The photo manager on real downloads, asked and changed by the built client.
@Suite(.timeLimit(.minutes(3)))
struct PhotoSessionTests {
    @Test("every kind of registered object is read on its owner")
    func objectsAreRead() throws {
        let service = try PhotoService(photos: 5)
        for (path, value) in [
            ("photos.items.count", "5"), ("photos.items[0].title", "\"Aunt Tilda at the Sea\""),
            ("photos.items[0].state", ".ready"), ("photos.prompt", "nil"),
            ("store.refreshes", "1"), ("store.known.count", "5"),
            ("cache.thumbnails.count", "5"), ("wall.columns", "4"),
            ("wall.title", "\"Googly Puff (5)\""), ("library.name", "\"Googly Puff\""),
        ] {
            let outcome = try service.shell("telltale photo-manager get '\(path)'")
            #expect(outcome.text == value + "\n", "\(path)")
            #expect(outcome.status == 0, "\(path)")
        }
        #expect(try service.shell("telltale photo-manager get uptime").status == 0)
    }

    @Test("a property is changed, listed with who did it, and put back")
    func changeIsMadeAndUndone() throws {
        let service = try PhotoService(photos: 1)
        let change = try service.shell("telltale photo-manager 'photos.prompt = \"WOOT!\"'")
        #expect(change.text.hasPrefix("photos.prompt: nil -> \"WOOT!\""))
        #expect(
            try service.shell("telltale photo-manager get photos.prompt").text == "\"WOOT!\"\n")
        let changes = try service.shell("telltale photo-manager changes").text
        #expect(changes.contains("photos.prompt"))
        #expect(changes.contains("telltale("))
        #expect(try service.shell("telltale photo-manager undo 1").status == 0)
        #expect(try service.shell("telltale photo-manager get photos.prompt").text == "nil\n")
    }

    @Test("a value of the wrong type is refused and changes nothing")
    func wrongTypeIsRefused() throws {
        let service = try PhotoService(photos: 1)
        let refused = try service.shell("telltale photo-manager 'photos.items[0].title = 12'")
        #expect(refused.status == 1)
        #expect(refused.text.contains("String"))
        let title = try service.shell("telltale photo-manager get 'photos.items[0].title'")
        #expect(title.text == "\"Overly Attached Girlfriend\"\n")
    }

    @Test("a read-only agent refuses with status 4 and says how it is changed")
    func readOnlyIsRefused() throws {
        let service = try PhotoService(photos: 1, environment: ["TELLTALE_MODE": "read-only"])
        let refused = try service.shell("telltale photo-manager 'photos.prompt = \"WOOT!\"'")
        #expect(refused.status == 4)
        #expect(refused.text.contains("read-write"))
        #expect(try service.shell("telltale photo-manager get photos.prompt").text == "nil\n")
    }

    @Test("actions run: a photo is added by its address, and what the host throws is told")
    func actionsRun() throws {
        let service = try PhotoService(photos: 1)
        let photo = "\(service.address)overly-attached-girlfriend.jpg"
        let added = try service.shell(
            "telltale photo-manager 'photos.add(\"Again\", \"\(photo)\")'")
        #expect(added.status == 0, "\(added.text)")
        try service.waitFor("1 photos downloaded, 0 failed")
        #expect(
            try service.shell("telltale photo-manager get 'photos.items[1].title'").text
                == "\"Again\"\n")
        let refused = try service.shell("telltale photo-manager 'photos.add(\"No\", \"here\")'")
        #expect(refused.status == 1)
        #expect(refused.text.contains("'here' is not the URL of a photo or of a listing"))
        #expect(try service.shell("telltale photo-manager 'store.refresh()'").status == 0)
    }

    @Test("the wall's prompt comes when there is no photo")
    func promptIsPosted() throws {
        let service = try PhotoService(photos: 0)
        let line = """
            until telltale photo-manager get photos.prompt | grep -q faces; do sleep 0.02; done
            """
        #expect(try service.shell(line).status == 0)
    }

    @Test("SIGUSR1 has the dump written to standard error")
    func signalDumps() throws {
        let service = try PhotoService(photos: 2)
        service.process.send(StartedProgram.userDefined1)
        let dump = try service.waitFor(" END lines=")
        for part in [" BEGIN ", " by SIGUSR1 from pid=", " VERDICT ", "photos: PhotoManager"] {
            #expect(dump.contains(part), "\(part)")
        }
        #expect(!dump.contains(PhotoService.token))
    }

    /// Every command, as it is typed behind the target.
    private static let commands = [
        "objects", "show photos --depth 9 --limit 1000", "show library", "get photos.apiToken",
        "get library.token", "store", "cache", "wall", "uptime", "actions", "queues", "status",
        "info", "dump", "changes", "help", "help show", "show photos --snapshot", "operations",
    ]

    @Test("no output of any command holds the token of the service")
    func secretIsNowhere() throws {
        let service = try PhotoService(photos: 2)
        for command in Self.commands {
            for options in ["", "--json"] {
                let outcome = try service.shell("telltale \(options) photo-manager \(command)")
                #expect(!outcome.text.contains(PhotoService.token), "\(options) \(command)")
                #expect(outcome.status == 0, "\(options) \(command): \(outcome.text)")
            }
        }
        let plain = try service.shell(
            """
            printf '%s\\n' 'show photos' 'library' 'get photos.apiToken' dump quit |
                nc -U -q 5 "$TELLTALE_DIRECTORY"/*.sock
            """)
        #expect(plain.text.contains("PhotoManager"))
        #expect(!plain.text.contains(PhotoService.token))
        let set = try service.shell("telltale photo-manager 'photos.apiToken = \"other-4712\"'")
        #expect(!set.text.contains(PhotoService.token))
        let after = try service.shell("telltale photo-manager changes; telltale photo-manager dump")
        #expect(!after.text.contains(PhotoService.token))
        #expect(!after.text.contains("other-4712"))
    }

    @Test("--json gives one valid document for every command")
    func everyAnswerIsJSON() throws {
        let service = try PhotoService(photos: 2)
        for command in Self.commands {
            let line = "telltale --json photo-manager \(command) | python3 -m json.tool >/dev/null"
            let outcome = try service.shell(line)
            #expect(outcome.status == 0, "\(command): \(outcome.text)")
        }
        #expect(
            try service.shell("telltale --json | python3 -m json.tool >/dev/null").status == 0)
    }

    @Test("SIGTERM ends the service, and no socket is left")
    func nothingIsLeft() throws {
        let service = try PhotoService(photos: 1)
        #expect(try service.shell("ls $TELLTALE_DIRECTORY").text.contains(".sock"))
        service.process.send(StartedProgram.terminate)
        #expect(service.process.waitUntilExit() == 0)
        #expect(try !service.shell("ls $TELLTALE_DIRECTORY").text.contains(".sock"))
    }
}
