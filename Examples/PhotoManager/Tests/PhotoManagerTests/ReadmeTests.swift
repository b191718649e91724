import Foundation
import Testing

@testable import photo_manager

/// The example's page agrees with the code.
struct ReadmeTests {
    private let page: String

    init() throws {
        let file = photoFolder.deletingLastPathComponent().appendingPathComponent("README.md")
        page = try String(contentsOf: file, encoding: .utf8)
    }

    @Test func everyFaultHasItsRow() {
        for fault in Fault.all {
            guard let guide = FaultGuide.all[fault.name] else {
                Issue.record("no guide to \(fault.name)")
                continue
            }
            let row = "| `\(fault.name)` | \(guide.seen) | `\(guide.command)` | \(guide.shows) |"
            #expect(page.contains(row), "\(row)")
        }
    }

    @Test func everyRecipeAndEveryWayIsNamed() {
        for recipe in Recipe.all where recipe.name != "run-loop-timer" {
            #expect(page.contains("recipe.run(\"\(recipe.name)\")"), "\(recipe.name)")
        }
        for way in DownloadWay.allCases {
            let isNamed =
                page.contains("(`\(way.rawValue)`)")
                || page.contains("downloads.again(\"\(way.rawValue)\")")
            #expect(isNamed, "\(way)")
        }
    }

    /// Cells of the rows of the tutorials' table: section, file, and what to look at it with.
    private var sections: [[String]] {
        guard let begin = page.firstRange(of: "| section | file |"),
            let end = page[begin.upperBound...].firstRange(of: "\n\n")
        else { return [] }
        return page[begin.lowerBound..<end.lowerBound].split(separator: "\n").dropFirst(2).map {
            row in
            row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test("every section names a file or a folder that is there")
    func everyFileIsThere() throws {
        let package = photoFolder.deletingLastPathComponent()
        let folders = ["Sources/PhotoManager/", "Sources/PhotoManager/Googly/", ""].map {
            package.appendingPathComponent($0)
        }
        #expect(sections.count > 25)
        for cells in sections {
            try #require(cells.count == 3, "\(cells)")
            let names = cells[1].matches(of: /`([A-Za-z+\/]+(?:\.swift|\/))`/).map { String($0.1) }
            #expect(!names.isEmpty || cells[1].hasPrefix("the same ("), "\(cells)")
            for name in names {
                let isThere = folders.contains { folder in
                    FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
                }
                #expect(isThere, "\(name)")
            }
        }
    }

    @Test("every word of the source that a section names stands in one of its files")
    func everyNameIsThere() throws {
        let sources = photoFolder.deletingLastPathComponent()
            .appendingPathComponent("Sources/PhotoManager")
        let files = try #require(FileManager.default.enumerator(atPath: sources.path))
        let text = try files.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOf: sources.appendingPathComponent($0), encoding: .utf8) }
            .joined()
        for cells in sections {
            for match in cells[1].matches(of: /\(`([A-Za-z]+)`/) {
                #expect(text.contains(String(match.1)), "\(cells)")
            }
        }
    }

    @Test("each recipe of the cookbook's chapter and each part of the tutorials has its row")
    func everySectionIsThere() {
        let titles = sections.compactMap(\.first).joined(separator: "\n")
        for recipe in 4...17 {
            #expect(titles.contains("7.\(recipe))"), "7.\(recipe)")
        }
        for part in [
            "Handling background tasks", "Delaying work", "Singletons", "readers and writers",
            "Dispatch groups", "Concurrency looping", "Cancelling dispatch blocks",
            "Testing asynchronous code", "Dispatch sources", "Semaphores", "Deadlocks",
        ] {
            #expect(titles.contains(part), "\(part)")
        }
    }

    @Test("what a section is looked at with is there: recipes, ways, faults")
    func everyLookIsThere() {
        let looks = sections.compactMap(\.last).joined(separator: "\n")
        for match in looks.matches(of: /recipe\.run\("([a-z-]+)"\)/) {
            #expect(Recipe.named(String(match.1)) != nil, "\(match.1)")
        }
        for match in looks.matches(of: /downloads\.again\("([a-z]+)"\)/) {
            #expect(DownloadWay(rawValue: String(match.1)) != nil, "\(match.1)")
        }
        for match in looks.matches(of: /fault\.([a-z-]+)\(\)/) {
            #expect(Fault.named(String(match.1)) != nil, "\(match.1)")
        }
        #expect(looks.contains("recipe.run") && looks.contains("downloads.again"))
    }
}
