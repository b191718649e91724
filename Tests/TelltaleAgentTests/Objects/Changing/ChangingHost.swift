#if TELLTALE_AGENT
import Observation
import Synchronization
import TelltaleProtocol
import TelltaleSystem

@testable import TelltaleAgent

/// A service that knows nothing of Telltale, with properties of every sort.
final class ChangingHost {
    enum Mode: Equatable { case idle, busy, broken }
    enum State: Equatable {
        case ready
        case failed(code: Int)
        case moved(String, by: Int)
        case named(String)
    }
    indirect enum Chain { case end, link(Chain) }
    struct Inner { var depth = 1 }
    struct Settings {
        var quality = 80
        let revision = 3
        var inner = Inner()
        var name: String? = "basic"
    }
    struct Size: Decodable, Equatable { var width: Int, height: Int }
    struct Plain { var a = 1 }
    struct Options: OptionSet { let rawValue: UInt8 }
    final class Photo {
        var title: String
        weak var next: Photo?
        init(_ title: String) { self.title = title }
    }

    private(set) var prompt: String?
    var title = "Wall"
    var count = 3
    var small: UInt8 = 7
    var wide: Int64 = 0
    var signed: Int16 = 0
    var ratio = 0.5
    var single: Float = 1
    var isOpen = false
    var letter: Character = "a"
    var nested: Int?? = 4
    var mode = Mode.idle
    var state = State.ready
    var chain = Chain.end
    var maybeMode: Mode?
    var settings = Settings()
    var cover: Photo? = Photo("cover")
    let first = Photo("first")
    var items = [Photo("a"), Photo("b")]
    var numbers = [1, 2, 3]
    var boxes = [Settings(), Settings()]
    var table = ["a b": 1, "c": 2]
    var optionals: [String: Int?] = ["x": 1]
    var byNumber = [7: "seven"]
    var settingsByName = ["low": Settings()]
    var byMode: [Mode: Int] = [.idle: 1]
    var tags: Set<String> = ["a"]
    var pair: (Int, label: String) = (1, "one")
    var size = Size(width: 1, height: 2)
    var plain = Plain()
    var options: Options = []
    var anything: Any = 1
    var shape: any CustomStringConvertible = 5
    var boxed: Any = Settings()
    var handler: () -> Void = {}
    var maybeHandler: (() -> Void)?
    unowned var unownedPhoto: Photo
    unowned(unsafe) var unsafePhoto: Photo
    let lock = Mutex(1)
    let hits = Atomic(1)
    weak var weakPhoto: Photo?
    let fixed = 12
    let fixedSettings = Settings()
    var apiToken = "s3cr3t"
    var headers = ["Authorization": "Bearer abc", "Accept": "*/*"]
    lazy var made = 41 + 1
    @Clamped var level = 5
    private(set) var observedSets = 0
    var observed = 1 { didSet { observedSets += 1 } }

    init() {
        unownedPhoto = first
        unsafePhoto = first
        weakPhoto = first
    }
}

@propertyWrapper struct Clamped {
    var wrappedValue: Int
}

@Observable final class ChangingModel {
    var title = "a"
    var items = [1]
}

actor ChangingActor {
    private var total = 1
    func now() -> Int { total }
    /// Sets the total through the agent, on the actor.
    func changed() throws { try change(self, ".total", "5") }
}

class ChangingBase { var inherited = 1 }
final class ChangingGeneric<Value>: ChangingBase {
    var value: Value
    init(_ value: Value) { self.value = value }
}

/// Sets a value as the agent would on the object's owner.
@discardableResult
func change(
    _ object: AnyObject, _ path: String, _ text: String, masks: [String] = []
) throws -> PerformedChange {
    let (path, edit) = ValueEdit.setting(
        try ValuePath(parsing: "host" + path).components, to: TypedText(text))
    return try change(object, path, edit, masks)
}

private func change(
    _ object: AnyObject, _ path: [ValuePath.Component], _ edit: ValueEdit, _ masks: [String] = []
) throws -> PerformedChange {
    try turns(of: edit) {
        try changingWriter(masks: masks).change(
            .object(object), rootName: "host", path: path, edit)
    }
}

/// Runs a turn of the owner again while it asks for values of what was typed, which are made in between.
func turns<Result>(
    of edit: ValueEdit, until deadline: MonotonicTime = .now.advanced(by: .seconds(60)),
    _ turn: () throws -> Result
) throws -> Result {
    while true {
        do {
            return try turn()
        } catch {
            let values = edit.text.values
            guard values.isAsked, values.make(for: .none, until: deadline) else { throw error }
        }
    }
}

func changingWriter(masks: [String] = []) -> ValueWriter {
    ValueWriter(
        limits: ReadLimits(deadline: .now.advanced(by: .seconds(60))),
        masks: MaskPolicy(additionalNames: masks), owner: .none)
}

/// Makes an edit of a value as the agent would on the object's owner.
@discardableResult
func edit(
    _ object: AnyObject, _ path: String, _ edit: ValueEdit
) throws -> PerformedChange {
    try change(object, try ValuePath(parsing: "host" + path).components, edit)
}

/// Returns the refusal of a change.
func refusal(_ object: AnyObject, _ path: String, _ text: String) -> CommandFailure? {
    do {
        try change(object, path, text)
        return nil
    } catch {
        return error as? CommandFailure
    }
}
#endif
