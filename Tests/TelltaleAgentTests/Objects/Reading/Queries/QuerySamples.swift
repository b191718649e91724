#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent

/// The objects of the query tests.
final class Gallery {
    var photos: [Shot] = [
        Shot("cat", size: 300, album: ShotAlbum("home"), isNew: true),
        Shot("dog", size: 100, album: nil, isNew: false),
        Shot("Catalogue", size: 200, album: ShotAlbum("work"), isNew: true),
    ]
    var numbers = [3, -1, 2]
    var ratings = ["b": 2, "a": 9, "c": 5]
    var byName: [String: Shot] = ["x": Shot("cat", size: 1, album: nil, isNew: true)]
    var tags: Set<Int> = [4, 8]
    var empty: [Shot] = []
    var doubles = [0.5, .nan, -1]
    var any: [Any] = [Shot("cat", size: 7, album: nil, isNew: true), 3, "text"]
    var pairs = [("Accept", "*"), ("token", "SECRET-91")].map { Header(name: $0.0, value: $0.1) }
    var texts = ["b", "a"]
    var groups = [[Header(name: "a", value: "1")], [Header(name: "b", value: "2")]]
    var settings = ["token": "SECRET-4", "colour": "red"]
    var links = ["https://user:SECRET-5@host/a", "https://host/b"]
    var huge = [Int.max, Int.max, Int.max]
}

struct Header {
    var name: String
    var value: String
}

final class ShotAlbum {
    var name: String
    var photos: [Int] = [1, 2, 3]

    init(_ name: String) { self.name = name }
}

enum ShotState { case idle, failed(String) }

final class Shot {
    var title: String
    var size: Int
    var album: ShotAlbum?
    var isNew: Bool
    var password: String
    var state = ShotState.idle

    init(_ title: String, size: Int, album: ShotAlbum?, isNew: Bool) {
        self.title = title
        self.size = size
        self.album = album
        self.isNew = isNew
        password = "SECRET-\(title)"
    }
}

extension ValueReader {
    /// Reads what an expression of one leaf says of an object called `x`.
    func ask(_ object: AnyObject, _ text: String) throws -> ValueNode {
        let leaf = try #require(try ValueExpression(parsing: text).leaves.first)
        let query: ReadQuery? =
            leaf.clauses.isEmpty ? nil : .collection(leaf.clauses, then: leaf.steps)
        let content = try readContent(
            .object(object), rootName: "x", path: leaf.path.components, query: query)
        number(content, rootName: "x")
        return content.node
    }
}
#endif
