import Foundation
import TelltaleClient
import TelltaleProtocol
import TelltaleTestSupport
import Testing

/// The schema that is published is the one of the answers' types.
struct SchemaTests {
    private static let page = "Docs/telltale.schema.json"

    @Test("the published schema is made from the answers' types")
    func published() throws {
        var maker = AnswerSchema()
        let made = try maker.document([("listing", Listing.self)]).serialized(pretty: true) + "\n"
        // TELLTALE_WRITE_DOCS=1 puts it in place.
        if ProcessInfo.processInfo.environment["TELLTALE_WRITE_DOCS"] != nil {
            try Data(made.utf8).write(
                to: URL(fileURLWithPath: RepositoryFile.root + "/" + Self.page))
        }
        let published = try RepositoryFile.text(Self.page)
        #expect(published == made, "a type has changed: TELLTALE_WRITE_DOCS=1 writes it again")
    }

    @Test("what does not fit the schema is found")
    func check() throws {
        let schema = SchemaCheck(try JSONParser.parse(Array(RepositoryFile.text(Self.page).utf8)))
        func problems(_ text: String) throws -> [String] {
            schema.problems(of: try JSONParser.parse(Array(text.utf8)))
        }
        #expect(try problems(#"{"version":1,"kind":"nothing","text":""}"#) == [])
        #expect(try problems(#"{"version":2,"kind":"nothing","text":""}"#).count == 1)
        #expect(try problems(#"{"version":1,"kind":"nothing"}"#).count == 1)
        #expect(try problems(#"{"version":1,"kind":"nothing","text":1}"#).count == 1)
        #expect(try problems(#"{"version":1,"kind":"nothing","text":"","more":1}"#).count == 1)
        #expect(try problems(#"{"version":1,"kind":"unheard"}"#).count == 1)
    }
}
