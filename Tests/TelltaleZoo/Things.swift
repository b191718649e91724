import Foundation
import Observation

#if canImport(Glibc)
import Glibc
#endif

extension Zoo {
    static func makeFoundation() -> AnyObject { FoundationThings() }
    static func makeCollections() -> AnyObject { Collections() }
    static func makeSystem() -> AnyObject { SystemThings() }
    static func makeClasses() -> AnyObject { Leaf<String>("leaf") }
    static func makeLibrary() -> AnyObject { LibraryThings() }
}

private final class FoundationThings {
    let length = Measurement(value: 3.5, unit: UnitLength.meters)
    let speed = Measurement<Unit>(value: 10, unit: UnitSpeed.kilometersPerHour)
    let parts = DateComponents(year: 2026, month: 11, day: 23, hour: 4)
    let noParts = DateComponents()
    let indices: IndexSet = [1, 2, 3, 7]
    let noIndices = IndexSet()
    let ranges = IndexSet(integersIn: 5..<500)
    let digits = CharacterSet.decimalDigits
    let letters = CharacterSet(charactersIn: "abc-")
    let array: NSArray = [1, "two"]
    let mutableArray: NSMutableArray = ["m"]
    let dictionary: NSDictionary = ["token": "hush"]
    let mutableDictionary = NSMutableDictionary(dictionary: ["m": "v"])
    let set = NSSet(object: 5)
    let string: NSString = "ns text"
    let mutableString = NSMutableString(string: "mutable")
    let number: NSNumber = 42
    let fraction = NSNumber(value: 1.25)
    let truth: NSNumber = true
    let null = NSNull()
    let data = Data([1, 2, 3])
    let nsData = NSData(data: Data([1, 2, 3]))
    let date = Date(timeIntervalSince1970: 0)
    let nsDate = NSDate(timeIntervalSince1970: 0)
    let url = URL(string: "https://example.com/a?b=c")
    let nsURL = NSURL(string: "https://example.com/a")
    let uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    let decimal = Decimal(string: "12.50")
    let interval = DateInterval(start: Date(timeIntervalSince1970: 0), duration: 60)
    let indexPath: IndexPath = [1, 2]
    let longPath: IndexPath = [1, 2, 3]
    let range = NSRange(location: 2, length: 3)
    let zone = TimeZone(identifier: "UTC")
    let error = NSError(domain: "com.example", code: 7)
    let lock = NSLock()
    let condition = NSCondition()
    let recursive = NSRecursiveLock()
}

private struct Flags: OptionSet {
    var rawValue: Int
    static let one = Flags(rawValue: 1)
    static let two = Flags(rawValue: 2)
}

private indirect enum Tree {
    case leaf
    case node(Tree, Int, Tree)
}

private final class Tail: ManagedBuffer<Int, UInt8> {}

private final class Collections {
    let list = [1, 2, 3]
    let table = ["k": 1]
    let set: Set<Int> = [4]
    let slice = [1, 2, 3][1...]
    let contiguous: ContiguousArray<String> = ["c"]
    let inline: InlineArray<3, Int> = [1, 2, 3]
    let pairs: KeyValuePairs<String, Int> = ["p": 1]
    let keys = ["k": 1].keys
    let values = ["k": 1].values
    let reversed = [1, 2].reversed()
    let lazily = [1, 2].lazy.map { $0 + 1 }
    let anySequence = AnySequence([1, 2])
    let anyCollection = AnyCollection([1, 2])
    let stride = Swift.stride(from: 0, to: 10, by: 2)
    let range = 0..<5
    let closed = 1...3
    let from = 2...
    let upTo = ..<4
    let through = ...4
    let joined = [[1], [2]].joined()
    let zipped = zip([1], ["a"])
    let repeated = repeatElement("r", count: 3)
    let one = CollectionOfOne(1)
    let none = EmptyCollection<Int>()
    let text = "text"
    let long = String(repeating: "long ", count: 10)
    let part = "a long enough text to be cut".dropFirst(2)
    let character: Character = "é"
    let scalar: Unicode.Scalar = "é"
    let literal: StaticString = "literal"
    let utf8 = "ab".utf8
    let index = "abc".index(after: "abc".startIndex)
    let flags: Flags = [.one, .two]
    let tree: Tree = .node(.leaf, 1, .node(.leaf, 2, .leaf))
    let tail = Tail.create(minimumCapacity: 3) { _ in 5 }
    let difference = [1, 2].difference(from: [1])
    let vector = SIMD4<Float>(1, 2, 3, 4)
    let matrix = [[1, 2], [3]]
    let void: Void = ()
    let never: [Never] = []
    let twice: Int?? = .some(nil)
}

private final class SystemThings {
    let time = timespec(tv_sec: 5, tv_nsec: 6)
    let address: sockaddr_in
    let file: stat
    let value = sigval(sival_int: 7)
    var mutex = pthread_mutex_t()
    let bytes: (UInt8, UInt8, UInt8, UInt8) = (1, 2, 3, 4)
    let pointer = UnsafeMutablePointer<Int>(bitPattern: 0xABC0)
    let buffer = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: 0xABC0), count: 8)
    let typed = UnsafeMutableBufferPointer<Int>(
        start: UnsafeMutablePointer(bitPattern: 0xABC0), count: 2)
    let opaque = OpaquePointer(bitPattern: 0xABC0)
    let function: @convention(c) (Int32) -> Int32 = { $0 }
    let closure: (Int) -> Int = { $0 }
    let unmanaged = Unmanaged.passUnretained(sharedHolder)
    let wide: UInt128 = 1 << 100
    let cEnum = idtype_t(rawValue: 2)
    let block: @convention(block) () -> Void = {}
    let maybeBlock: (@convention(block) () -> Void)? = nil
    let behindBlocks = 6

    init() {
        var address = sockaddr_in()
        address.sin_family = 2
        address.sin_port = 80
        self.address = address
        var file = stat()
        file.st_size = 99
        self.file = file
    }
}

private let sharedHolder = Holder()

@propertyWrapper private struct Clamped {
    var wrappedValue: Int
    var projectedValue: String { "\(wrappedValue)" }
}

@Observable private final class Observed {
    var title = "observed"
    var count = 2
}

private class Root<Element> {
    let element: Element
    private var hidden = "root's"
    init(_ element: Element) { self.element = element }
    struct Nested {
        var of: Element
        var more = [1]
    }
}

private class Middle: Root<Int> {
    fileprivate var hidden = "middle's"
    struct Plain { var x = 1 }
    var plain = Plain()
}

private final class Leaf<Value>: Middle {
    let value: Value
    var nested: Root<Value>.Nested
    private lazy var later = 3
    @Clamped var clamped = 5
    weak var parent: Middle?
    weak var friend: Root<Int>?
    unowned let owner: Holder
    unowned(unsafe) let other: Holder
    let observed = Observed()
    let actor = Account()
    let local: Any
    var me: Leaf<Value>?
    let apiToken = "hush"

    init(_ value: Value) {
        self.value = value
        nested = .init(of: value)
        owner = sharedHolder
        other = sharedHolder
        local = makeLocal()
        super.init(6)
        me = self
    }
}

private func makeLocal() -> Any {
    struct Local { var inside = "function" }
    return Local()
}

private actor Account {
    var balance = 3
    let log = ["opened"]
}

private final class LibraryThings {
    let identifier = ObjectIdentifier(Holder.self)
    let duration = Duration.milliseconds(1500)
    let random = SystemRandomNumberGenerator()
    let iterator = [1, 2].makeIterator()
    let decoding = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "bad"))
    let half: Float16 = 1.5
    let clock = ContinuousClock()
    let priority = TaskPriority.high
}
