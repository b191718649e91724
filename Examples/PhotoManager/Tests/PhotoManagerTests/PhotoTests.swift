import Foundation
import Testing

@testable import photo_manager

struct PhotoTests {
    @Test(
        arguments: [
            ("http://h/success-kid.jpg", "Success Kid"),
            ("http://h/aunt-tilda-at-the-sea.jpg", "Aunt Tilda at the Sea"),
            ("http://h/lots%20of_faces.png", "Lots of Faces"),
            ("http://h/", "http://h/"),
        ])
    func titleIsMadeOfTheFileName(address: String, title: String) throws {
        #expect(Photo.title(of: try #require(URL(string: address))) == title)
    }
}
