import TelltaleTestSupport
import Testing

/// `stuck` on small services of every kind: those that are well are not accused, in those that are not
/// the function and the line are named. `ShapeTable.swift` is all that is expected.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct ShapeTests {
    @Test("the table has each shape of the host, once, and each place is in the sources")
    func table() throws {
        #expect(try ShapeHost.names() == ShapeRow.all.map(\.name))
        let places = try ShapePlaces()
        for row in ShapeRow.all {
            switch row.expectation {
            case .healthy, .waitsLong: break
            case .stuck(let functions), .deadlock(let functions):
                #expect(!functions.isEmpty, "\(row.name)")
                for function in functions {
                    #expect(places.lines[function] != nil, "\(row.name): no line for \(function)")
                }
            }
        }
        #expect(ShapeRow.all.count { $0.isAccused } >= 24)
        #expect(ShapeRow.all.count { !$0.isAccused } >= 24)
    }

    @Test("each shape gets the verdict that it deserves", arguments: ShapeRun.rows)
    func verdict(_ row: ShapeRow) throws {
        let run = try #require(ShapeRun.all[row.name])
        if let reason = run.isNotHere { try Test.cancel("\(reason)") }
        let complaints = run.complaints(row, try ShapePlaces())
        #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
    }

    @Test("all that the screen says stands in the JSON too", arguments: ShapeRun.rows)
    func words(_ row: ShapeRow) throws {
        let run = try #require(ShapeRun.all[row.name])
        if let reason = run.isNotHere { try Test.cancel("\(reason)") }
        #expect(run.differences.isEmpty, "\(run.differences.joined(separator: "\n"))")
    }
}
