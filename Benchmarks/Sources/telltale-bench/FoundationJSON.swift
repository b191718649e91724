// The only Foundation in this program: it is what the toolchain offers for JSON.
import Foundation
import TelltaleProtocol

/// The same three steps as the codec's, by Foundation.
enum FoundationJSON {
    static func encode(_ answer: some Encodable) throws -> Int {
        try JSONEncoder().encode(answer).count
    }

    static func parse(_ bytes: [UInt8]) throws -> Bool {
        try JSONSerialization.jsonObject(with: Data(bytes)) is [String: Any]
    }

    static func decode(_ bytes: [UInt8]) throws -> PlainCodable {
        try JSONDecoder().decode(PlainCodable.self, from: Data(bytes))
    }
}

/// An answer with a value as the compiler codes it.
struct PlainCodable: Codable, Equatable {
    struct Node: Codable, Equatable {
        var label: String?
        var type: String
        var kind: ValueNode.Kind
        var text: String?
        var address: String?
        var handle: Int?
        var count: Int?
        var children: [Node]
        var note: String?
    }

    var path: String
    var value: Node
    var owner: String
    var read: String
}

/// A photo as the compiler codes it: its values alone, without types and numbers.
struct PlainPhoto: Encodable {
    var id: Int
    var title: String
    var url: String
    var byteCount: Int
    var width: Int
    var height: Int
    var failure: String?

    init(_ photo: PhotoHost.Photo) {
        (id, title, url) = (photo.id, photo.title, photo.url)
        byteCount = photo.byteCount
        (width, height) = photo.size
        if case .failed(let text) = photo.state { failure = text }
    }
}
