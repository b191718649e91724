import Testing

@testable import TelltaleProtocol

/// Handles in a tree.
@Suite struct HandleTextTests {
    private let node: ValueNode = {
        var node = ValueNode(type: "Photo", kind: .object)
        node.handle = 6
        return node
    }()

    @Test("an object that was asked for by a handle keeps it, and another has its own")
    func asked() {
        let tree = ValueTree(style: .plain)
        #expect(tree.lines(of: node, label: "#1", remarks: []) == ["#1: Photo #1"])
        #expect(tree.lines(of: node, label: "#1.cover", remarks: []) == ["#1.cover: Photo #6"])
        #expect(tree.lines(of: node, label: "photos", remarks: []) == ["photos: Photo #6"])
    }
}
