#if TELLTALE_AGENT
import Observation
import Synchronization

/// Classes, structs and enums whose stored properties the reading tests know.
enum Sample {
    enum State: Equatable {
        case waiting
        case ready
        case failed(String)
        case moved(from: Int, to: Int)
    }

    indirect enum Tree {
        case leaf
        case node(Tree, Int, Tree)
    }

    enum Colour: String, Hashable {
        case red, green
    }

    struct Size: Hashable {
        var width: Int
        var height: Double
    }

    struct Frame {
        var name: String
        var size: Size
        var note: String?
    }

    class Animal {
        let legs: Int
        var name: String
        init(legs: Int, name: String) {
            self.legs = legs
            self.name = name
        }
    }

    final class Dog: Animal {
        private var age = 7
        var owner: Person?
        weak var friend: Animal?
        unowned let keeper: Animal
        unowned(unsafe) let other: Animal
        init(keeper: Animal) {
            self.keeper = keeper
            other = keeper
            super.init(legs: 4, name: "Rex")
        }
    }

    final class Person {
        var name = "Anna"
        var pets: [Animal] = []
        var best: Person?
    }

    protocol Shape { var area: Double { get } }
    struct Square: Shape, Sendable {
        var side: Double
        var area: Double { side * side }
    }
    struct Big: Shape {
        var a = 1
        var b = 2
        var c = 3
        var d = 4
        var area: Double { 0 }
    }
    final class Round: Shape {
        let radius = 2.5
        var area: Double { radius }
    }
    protocol Named<Name>: AnyObject {
        associatedtype Name
        var name: Name { get }
    }
    final class Label: Named {
        let name = "a label"
    }
    final class Labelled: Box<Int> {
        let label = "subclass of a generic class"
    }
    struct Failure: Error {
        let code = 404
        let text = "not here, and not anywhere else"
    }

    @propertyWrapper struct Clamped {
        var wrappedValue: Int
    }

    @Observable final class Watched {
        var title = "seen"
        var count = 3
    }

    actor Counter {
        var value = 12
        let name = "counter"
    }

    class Box<Content> {
        var content: Content
        var list: [Content]
        init(_ content: Content) {
            self.content = content
            list = [content, content]
        }
    }

    final class Everything {
        let int = -5
        let small: UInt8 = 200
        let wide: Int128 = -170_141_183_460_469_231_731_687_303_715_884_105_728
        let float: Float = 0.1
        let double = 1e100
        let bool = true
        let scalar: Unicode.Scalar = "é"
        let character: Character = "👨‍👩‍👧"
        let short = "short"
        let long: String
        let literal = "a literal that does not fit into a word"
        let substring: Substring
        let none: Int?
        let some: Int?
        let nested: String??
        let array = [1, 2, 3]
        let strings: [String]
        let slice: ArraySlice<Int>
        let contiguous: ContiguousArray<Double> = [0.5]
        let empty: [Int] = []
        let dictionary = ["a b": 1, "c": 2]
        let numbers = [3: "three"]
        let colours: [Colour: Int] = [.red: 1]
        let sizes: [Size: String] = [Size(width: 1, height: 2): "x"]
        let emptyDictionary: [String: Int] = [:]
        let set: Set<Int> = [42]
        let tuple = (1, label: "two")
        let range = 1..<5
        let closed = 1...5
        let state = State.waiting
        let failed = State.failed("why")
        let moved = State.moved(from: 1, to: 2)
        let tree = Tree.node(.leaf, 5, .node(.leaf, 6, .leaf))
        let frame = Frame(name: "f", size: Size(width: 3, height: 4), note: nil)
        let any: Any = 12
        let anyBig: Any = Big()
        let anyString: Any = "in an Any"
        let shape: any Shape = Square(side: 3)
        let bigShape: any Shape = Big()
        let round: any Shape = Round()
        let error: any Error = Failure()
        let object: AnyObject = Round()
        let hashable: AnyHashable = "hash"
        let type: Any.Type = Int.self
        let classType: Animal.Type = Dog.self
        let function: (Int) -> Int = { $0 }
        let duration = Duration.milliseconds(1500)
        let box = Box(["generic"])
        let inline: InlineArray<3, Int> = [7, 8, 9]
        @Clamped var clamped = 33
        lazy var later = 5
        lazy var made = 6
        let mutex = Mutex(5)
        let optionalShape: (any Shape)?
        let sequence: any Sequence<Int> = [1, 2]
        let named: any Named<String> = Label()
        let composed: any Shape & Sendable = Square(side: 2)
        let shapes: [any Shape] = [Square(side: 2), Big(), Round()]
        let noError: (any Error)? = nil
        let someError: (any Error)? = Failure()
        let someObject: AnyObject? = Round()
        let sub = Labelled(5)
        let after = "after"
        init(text: String) {
            long = text
            substring = text.dropFirst(2).dropLast(3)
            none = nil
            some = 8
            nested = .some(nil)
            strings = [text, "x"]
            slice = [10, 20, 30, 40][1...2]
            optionalShape = Square(side: 1)
            _ = made
        }
    }
}
#endif
