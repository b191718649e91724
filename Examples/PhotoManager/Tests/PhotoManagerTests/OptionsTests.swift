import Foundation
import Testing

@testable import photo_manager

struct OptionsTests {
    @Test func photosMayBeGivenMoreThanOnce() throws {
        let options = try Options([
            "--photos", "http://127.0.0.1:8000/", "--photos", "http://127.0.0.1:8000/a.jpg",
        ])
        #expect(
            options.sources.map(\.absoluteString) == [
                "http://127.0.0.1:8000/", "http://127.0.0.1:8000/a.jpg",
            ])
    }

    @Test(
        arguments: [
            (["--photos"], "--photos needs an argument"),
            (
                ["--photos", "here"],
                "--photos takes a URL such as http://127.0.0.1:8000/ or a folder that is there, not 'here'"
            ),
            (["--prompt-after", "-1"], "--prompt-after takes seconds from 0 to 86400, not '-1'"),
            (["--port", "65536"], "--port takes a number from 0 to 65535, not '65536'"),
            (
                ["--downloads", "slowly"],
                "no way 'slowly' to download; there are early, wait, notify, perform, items, tasks, operations"
            ),
            (["--timeout", "0"], "--timeout takes seconds from 1 to 86400, not '0'"),
            (["--load", "many"], "--load takes a number from 1 to 64, not 'many'"),
            (["--recipe", "nope"], "no recipe 'nope'; '--recipe list' names all of them"),
            (["--fault", "nope"], "no fault 'nope'; '--fault list' names all of them"),
            (["--fast"], "unknown option '--fast'; --help lists them"),
        ])
    func wrongCommandLineIsNamed(arguments: [String], sentence: String) {
        #expect(throws: Options.Failure(description: sentence)) { try Options(arguments) }
    }

    @Test func loadMayHaveANumber() throws {
        #expect(try Options([]).load == 0)
        #expect(try Options(["--load"]).load == 1)
        #expect(try Options(["--load", "--port", "0"]).load == 1)
        #expect(try Options(["--load", "8"]).load == 8)
    }

    @Test func photosMayBeInAFolder() throws {
        let options = try Options(["--photos", photoFolder.path])
        #expect(options.sources.map(\.isFileURL) == [true])
        #expect(options.sources.map(\.path) == [photoFolder.path])
    }

    @Test func everyFaultHasANameAndASummaryOfItsOwn() throws {
        #expect(Fault.all.count == 23)
        #expect(Set(Fault.all.map(\.name)) == Set(FaultGuide.all.keys))
        for fault in Fault.all {
            #expect(try Options(["--fault", fault.name]).fault == fault.name)
            let guide = try #require(FaultGuide.all[fault.name])
            #expect(!fault.summary.isEmpty && !guide.shows.isEmpty && guide.seen.hasSuffix("."))
        }
        #expect(try Options(["--fault", "list"]).wantsFaults)
        let later = try Options(["--fault", "later"])
        #expect(later.offersFaults && later.fault == nil)
    }
}
