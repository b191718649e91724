#if TELLTALE_AGENT
import Synchronization

/// Values that plans read, values that they leave to ``NodeMaker``, and both within each other.
final class PlanZoo {
    enum Plain { case one, two, `default` }
    enum Loaded {
        case none
        case number(Int)
        case pair(Int, name: String)
        case nested(Inner)
        case person(Person)
        case password(String)
        indirect case boxed(Inner)
    }
    struct Inner {
        var a = 1
        var b: Int? = nil
        var c: String? = "c"
        var d: [Int]? = [1]
        var e = (x: 1.5, y: -0.0)
    }
    struct Empty {}
    struct Pair {
        var name = "token"
        var value = "shown to nobody"
    }
    struct Wide { var vector = SIMD4<Float>(1, 2, 3, 4) }
    class Person {
        var name: String
        let token = "a secret"
        var shoeSize = "44"
        unowned(unsafe) var host: PlanZoo?
        weak var friend: Person?
        init(_ name: String) { self.name = name }
    }
    final class Worker<Job>: Person {
        var job: Job
        var best: Worker<Job>?
        lazy var later = 3
        init(_ name: String, _ job: Job) {
            self.job = job
            super.init(name)
        }
    }

    final class Crowd {
        let all: [Person]
        init(count: Int) { all = (0..<count).map { Person("p\($0)") } }
    }

    /// An array whose word may be anything.
    final class Torn {
        var array = [1, 2, 3]
        let after = "after"

        var before: UInt { withUnsafeBytes(of: array) { $0.load(as: UInt.self) } }
        // Retains nothing and releases nothing.
        func set(_ word: UInt) {
            let object = Unmanaged.passUnretained(self).toOpaque()
            object.storeBytes(of: word, toByteOffset: 16, as: UInt.self)
        }
        let kept: [Int]
        init() { kept = array }
    }

    let integers: (Int8, Int16, Int32, Int64, Int) = (-128, -32768, .min, .min, -1)
    let naturals: (UInt8, UInt16, UInt32, UInt64, UInt) = (255, .max, .max, .max, 0)
    let floats: [Double] = [0, -0.0, .nan, .infinity, 1e300, 0.1, .leastNonzeroMagnitude]
    let singles: [Float] = [0.1, -.infinity]
    let truths = [true, false]
    let pointer = UnsafeRawPointer(bitPattern: 0xABC)
    let strings = [
        "", "a", "fifteen bytes..", "sixteen bytes...", "a\"b", "a\\b", "new\nline", "Zürich, 東京",
        "naïve 👩‍👩‍👧", "right\u{202E}left", "\u{7F}", "e\u{301}",
    ]
    let urls = [
        "https://photos.example/a/1.jpg", "https://u:p@h/x", "http://h/?token=abc&x=1", "12:30:45",
        "Authorization: Bearer abc", "X-Token: abc", "note: nothing", "a=b", "//h:x/y", "50%",
    ]
    let literal: StaticString = "static"
    let someNone: Int?? = .some(nil)
    let noneNone: Int?? = nil
    let plains: [Plain] = [.one, .two, .default]
    let loaded: [Loaded]
    let nested = Inner()
    let inners = [Inner(), Inner(a: 2, b: 3, c: nil, d: nil)]
    let empty = Empty()
    let emptyArray: [String] = []
    let pair = Pair()
    let pairs = [Pair(), Pair(name: "colour", value: "red")]
    let wide = [Wide()]
    let optionalWide: Wide? = Wide()
    let numbers = Array(0..<100)
    let optionalNumbers: [Int?] = [1, nil, 3]
    let people: [Person]
    let worker: Worker<[String]>
    let object: AnyObject
    let any: Any = Inner()
    let anyPerson: Any
    let byName: [String: Person]
    let slice: ArraySlice<Int>
    let date = Duration.seconds(3)
    let password = "hunter2"
    let passwords = ["hunter2"]
    let tokens: Int = 3
    let mutex = Mutex([1, 2])
    let closure: () -> Void = {}
    let type = Int.self
    let again: Person
    let matrix = [[1, 2], [], [3]]
    let tuples = [(1, "a"), (2, "b")]
    let unit: Void = ()

    init() {
        let anna = Person("Anna")
        let bob = Worker("Bob", 7)
        bob.best = bob
        anna.friend = bob
        people = [anna, bob, anna, Person("Zoë")]
        worker = Worker("Eve", ["dig", "deep"])
        object = anna
        anyPerson = bob
        again = bob
        byName = ["a \"b\"": Person("keyed")]
        slice = [1, 2, 3, 4][1...]
        loaded = [
            .none, .number(3), .pair(1, name: "n"), .nested(Inner()), .person(anna),
            .password("hunter2"), .boxed(Inner()),
        ]
    }
}
#endif
