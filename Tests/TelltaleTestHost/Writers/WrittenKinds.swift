import Foundation

/// The parts of the writers' objects, each made for a number.
enum WrittenKinds {
    /// As small as fits an existential's own room, and as large as needs a box.
    struct Small: Named, Hashable {
        var name: String
        var number: Int
        init(_ number: Int) {
            name = "small \(number)"
            self.number = number
        }
    }

    struct Large: Named {
        var name: String
        var words: (Int, Int, Int, Int, Int)
        init(_ number: Int) {
            name = "a name that no string keeps in itself, of \(number)"
            words = (number, number, number, number, number)
        }
    }

    final class Part: Named {
        let name: String
        var numbers: [Int]
        var next: Part?
        init(_ number: Int, next: Part? = nil) {
            name = "part \(number)"
            numbers = Array(repeating: number, count: number)
            self.next = next
        }
    }

    enum State {
        case idle
        case counting(Int)
        case working(Small, text: String)
        case failed(any Error)
        init(_ number: Int) {
            switch number % 4 {
            case 0: self = .idle
            case 1: self = .counting(number)
            case 2: self = .working(Small(number), text: "text \(number)")
            default: self = .failed(Failure.broken(code: number))
            }
        }
    }

    enum Failure: Error { case broken(code: Int), gone }

    indirect enum Tree {
        case leaf(Int)
        case node(Tree, Int, Tree)
        init(_ number: Int, depth: Int = 3) {
            self =
                depth == 0
                ? .leaf(number)
                : .node(Tree(number, depth: depth - 1), number, Tree(number, depth: depth - 1))
        }
    }

    /// One that can't be copied, and frees what it has.
    struct File: ~Copyable {
        var descriptor: Int
        var path: String
        init(_ number: Int) {
            descriptor = number
            path = "/tmp/a folder with a long name/\(number)"
        }
        deinit {}
    }

    enum Slot: ~Copyable {
        case empty
        case number(Int)
        case file(File)
        init(_ number: Int) {
            switch number % 3 {
            case 0: self = .empty
            case 1: self = .number(number)
            default: self = .file(File(number))
            }
        }
    }

    struct Nested {
        var inner: [String: [Small]]
        var pair: (Int, text: String)
        var perhaps: Small?
        init(_ number: Int) {
            inner = ["k": (0..<number % 4).map { _ in Small(number) }]
            pair = (number, "text \(number)")
            perhaps = number % 2 == 0 ? nil : Small(number)
        }
    }
}

protocol Named: Sendable { var name: String { get } }
// Guarded by its current holder: it is written before it is passed on.
extension WrittenKinds.Part: @unchecked Sendable {}
