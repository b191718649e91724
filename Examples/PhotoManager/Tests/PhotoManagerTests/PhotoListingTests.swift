import Foundation
import Testing

@testable import photo_manager

struct PhotoListingTests {
    private func links(_ html: some Sequence<UInt8>) throws -> [String] {
        let base = try #require(URL(string: "http://127.0.0.1:8000/wall/"))
        return PhotoListing(html: Data(html), base: base).links.map(\.absoluteString)
    }

    @Test func linksOfAListingAreTakenInTheirOrder() throws {
        let page = """
            <ul><li><a href="success-kid.jpg">success-kid.jpg</a></li>
            <li><A HREF='lots%20of%20faces.png'>lots of faces.png</A></li></ul>
            """
        try #expect(
            links(page.utf8) == [
                "http://127.0.0.1:8000/wall/success-kid.jpg",
                "http://127.0.0.1:8000/wall/lots%20of%20faces.png",
            ])
    }

    @Test func linksOutOfTheFolderAreLeftOut() throws {
        let page = #"<a href="../secret.jpg"> <a href="http://other/a.jpg"> <a href="./">"#
        try #expect(links(page.utf8) == [])
    }

    @Test func bytesThatAreNoTextGiveNoLinks() throws {
        try #expect(links([0xFF, 0xFE, 0x00, 0x22]) == [])
    }
}
