#if TELLTALE_AGENT
import Foundation
import Testing

@testable import TelltaleRuntime

/// A word of a heap is a type only if a compiler or the runtime has made it one: the runtime is asked about it
/// afterwards, and believes it.
struct MetadataCheckTests {
    private class Plain {}
    private class Generic<Element> { var element: Element? }
    private enum Choice { case one(Int), other }
    private struct Pair<First, Second> { var first: First?, second: Second? }
    private protocol Named {}
    private protocol Holding<Element> { associatedtype Element }

    /// Memory of a heap in the shape of metadata, from the word before it.
    private final class Shape {
        let memory: UnsafeMutablePointer<UInt>

        init(_ words: [UInt]) {
            memory = .allocate(capacity: 64)
            memory.initialize(repeating: 0, count: 64)
            for (index, word) in words.enumerated() { memory[index] = word }
        }

        deinit { memory.deallocate() }

        var address: UInt { UInt(bitPattern: memory + 1) }
    }

    private static func words(of type: Any.Type, _ count: Int) -> [UInt] {
        (-1..<count - 1).map { TypeMetadata(type).word($0) }
    }

    @Test("types of every kind are believed, those of the heap too")
    func types() {
        let types: [Any.Type] = [
            Plain.self, Generic<Int>.self, Generic<[Plain?]>.self, Choice.self,
            Pair<Int, String>.self,
            Int.self, String?.self, [String: Int].self, (Int, name: String).self, Void.self,
            ((Int) -> String).self, ((Int, inout String) async throws -> Void).self,
            (@convention(c) (Int32) -> Int32).self, Any.self, AnyObject.self, (any Named).self,
            (any Named & AnyObject).self, (any Error).self, (any Holding<Int>).self, Int.Type.self,
            (any Named.Type).self, Any.Type.self, NSObject.self, URL.self, NSMutableArray.self,
            JSONDecoder.self, OperationQueue.self, Set<URL>.self, Unmanaged<Plain>.self,
            (any Plain & Named).self, ContiguousArray<Pair<Int?, Plain>>.Index.self,
        ]
        for type in types {
            let address = UInt(bitPattern: TypeMetadata(type).pointer)
            #expect(MetadataCheck.type(at: address) == type, "\(type)")
        }
    }

    @Test("what a freed block has where a class would be is none, whatever it leads to")
    func freedBlock() {
        // Descriptors begin with flags whose lowest five bits say what they are: every 32nd number says a class.
        let text = Shape([0, 0x2E30_2E30_2E37_3230, 0, 0x10, 0x10])
        let witnesses = Shape([0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0x20, 0x7])
        let shape = Shape([
            witnesses.address, 0, 0x31, 0, UInt(0x40) << 32 | 0x40, UInt(8) << 32 | 0x60,
            text.address,
        ])
        #expect(MetadataCheck.type(at: shape.address) == nil)
        // With the witnesses of a class, which stand in an image.
        shape.memory[0] = TypeMetadata(Plain.self).word(-1)
        #expect(MetadataCheck.type(at: shape.address) == nil)
    }

    @Test(
        "nor is a copy whose description is not a compiler's, of any kind",
        arguments: [
            0, 0x200, 0x201, 0x202, 0x203, 0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308,
        ]
            as [UInt])
    func forged(_ kind: UInt) {
        let descriptor = Shape([
            0, kind == 0 || kind == 0x203 ? 16 : kind == 0x200 ? 17 : 18, 0, 0, 0,
        ])
        var words = Self.words(of: kind == 0 ? Plain.self : Int.self, 10)
        words[1] = kind
        let at = kind == 0 ? 6 : 2
        words[at] = descriptor.address
        if kind >= 0x301, kind != 0x307 {
            // One part, which is no type.
            words[2] = kind == 0x303 ? 1 << 32 | 0x8000_0000 : 1
            words[3] = descriptor.address
            words[4] = descriptor.address
        }
        if kind == 0x304 || kind == 0x306 { words[2] = descriptor.address }
        #expect(MetadataCheck.type(at: Shape(words).address) == nil)
    }
}
#endif
