import Foundation
import Testing

@testable import photo_manager

/// The page of the example says what is so.
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

    @Test func everyFileIsThere() throws {
        let sources = photoFolder.deletingLastPathComponent()
            .appendingPathComponent("Sources/PhotoManager")
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
        for row in rows {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count > 1 else { continue }
            for match in cells[1].matches(of: /`([A-Za-z+\/]+\.swift)`/) {
                let name = String(match.1)
                let places = ["", "Googly/", "../../"].map {
                    sources.appendingPathComponent($0 + name)
                }
                #expect(
                    places.contains { FileManager.default.fileExists(atPath: $0.path) }, "\(name)")
            }
        }
    }
}
