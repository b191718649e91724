#if TELLTALE_AGENT
import TelltaleProtocol

/// A registered action, with its types erased: what the host's closure takes and gives is known only
/// to the closures made at its registration.
final class Action: Registered {
    enum Outcome: Sendable {
        case returned(UncheckedValue?)
        /// What the host's error says, and the error itself.
        case threw(String, UncheckedValue)
        /// It was not called after all.
        case failed(CommandFailure)
    }

    /// The closure with its arguments in place.
    enum Prepared: Sendable {
        case synchronous(@Sendable () -> Outcome)
        case asynchronous(@Sendable () async -> Outcome)
    }

    typealias Prepare = @Sendable ([JSONValue]) throws -> Prepared

    let identifier: UInt64
    let name: String
    /// What the arguments are decoded as; empty where nobody is to be offered values.
    let types: [Any.Type]
    let parameters: [String]
    /// What the registration calls the arguments; empty where it gave no names.
    let names: [String]
    /// How many names were given, where that is not how many arguments there are.
    let refusedNames: Int?
    let result: String
    let owner: Owner
    /// Where and when it runs.
    let run: RunOptions
    /// What of the host's runs.
    let code: HostCodeTrials.Code
    /// The object or actor that it is about; nil of an action by itself.
    private let object: HostReference?
    let isAsync: Bool
    private let held: HeldValue<Prepare>?
    // The last to go of what this has of its owner.
    private let queue: QueueReference?
    /// Decodes the arguments; nil where the action's object is gone.
    ///
    /// - Throws: `CommandFailure`.
    /// - Important: Runs host code: the `init(from:)` of the arguments' types.
    var prepare: Prepare? { held?.value }

    init(
        name: String, parameters: [String], types: [Any.Type] = [], names: [String],
        result: String, owner: Owner, of object: AnyObject? = nil, isAsync: Bool,
        code: HostCodeTrials.Code? = nil, prepare: @escaping Prepare
    ) {
        identifier = Registrar.makeIdentifier()
        self.name = name
        self.types = types
        self.parameters = parameters
        let fits = names.isEmpty || names.count == parameters.count
        self.names = fits ? names : []
        refusedNames = fits ? nil : names.count
        self.result = result
        self.owner = owner
        run = []
        self.code = code ?? .registration(identifier)
        self.object = object.map(HostReference.init)
        self.isAsync = isAsync
        held = HeldValue(prepare, of: owner, .toOwnerOrHost)
        queue = Self.reference(owner)
    }

    private init(
        _ action: Action, owner: Owner, of object: HostReference?, held: HeldValue<Prepare>?,
        run: RunOptions
    ) {
        identifier = action.identifier
        name = action.name
        types = action.types
        parameters = action.parameters
        names = action.names
        refusedNames = action.refusedNames
        result = action.result
        self.owner = owner
        self.run = run
        code = action.code
        self.object = object
        isAsync = action.isAsync
        self.held = held
        queue = Self.reference(owner)
    }

    private static func reference(_ owner: Owner) -> QueueReference? {
        guard case .queue(let queue) = owner else { return nil }
        return QueueReference(queue)
    }

    /// In a forked child: an action of the parent's, with locks of its own.
    convenience init(inheriting action: Action) {
        self.init(
            action, owner: action.owner, of: action.object.map(HostReference.init(inheriting:)),
            held: action.held, run: action.run)
    }

    /// The same as its registration has it run.
    func running(_ options: RunOptions) -> Action {
        guard !options.isEmpty else { return self }
        let isOff = options.contains(.offOwner) && !owner.isIsolation
        return Action(self, owner: isOff ? .none : owner, of: object, held: held, run: options)
    }

    /// Where the object is that it is about; nil where there is none.
    var objectAddress: UInt? { object?.address }

    /// Whether the object is gone that it is about.
    var isGone: Bool { object?.isGone ?? false }

    /// How it was called, without its closure.
    var remains: Action? { Action(self, owner: .none, of: object, held: nil, run: run) }

    /// What the registration calls an argument; nil where it gave no names.
    func argumentName(_ index: Int) -> String? {
        names.indices.contains(index) && !names[index].isEmpty ? names[index] : nil
    }

    /// The arguments as they are listed: `title: String`, or the type alone.
    var renderedParameters: [String] {
        parameters.enumerated().map { index, type in
            argumentName(index).map { "\($0): \(type)" } ?? type
        }
    }

    /// `photos.add(String, String)`.
    var signature: String { "\(name)(\(renderedParameters.joined(separator: ", ")))" }
}

/// A value of the host's on its way from the owner that made it to the reader, which is on the same
/// owner.
struct UncheckedValue: @unchecked Sendable {
    // Handed from one thread to the next, never used by two.
    let value: Any
}

/// Hands out arguments one after another, each decoded as the type that is asked for.
struct ArgumentCursor {
    private let action: String
    private let parameters: [String]
    private let arguments: [JSONValue]
    private var position = 0

    init(_ arguments: [JSONValue], of action: String, expecting parameters: [String]) throws {
        self.action = action
        self.parameters = parameters
        self.arguments = arguments
        guard arguments.count == parameters.count else {
            let count = Quantity.count(parameters.count, "argument", "arguments")
            throw CommandFailure(
                .usage,
                "\(action) takes \(count) (\(parameters.joined(separator: ", "))) and was given "
                    + "\(arguments.count)", hint: "`actions` lists what each action takes")
        }
    }

    mutating func next<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let index = position
        position += 1
        guard arguments.indices.contains(index) else {
            throw CommandFailure(.internal, "\(action) asked for one argument too many")
        }
        do {
            return try JSONValueDecoder.decode(
                type, given: arguments[index], formats: ValueFormats.parse)
        } catch {
            throw failure(at: index, of: "\(type)", error)
        }
    }

    /// What was typed is not repeated, nor what the type's own code says of it: nothing tells whether
    /// it is a secret.
    private func failure(at index: Int, of type: String, _ error: any Error) -> CommandFailure {
        let subject = "argument \(index + 1) of \(action) is a \(type)"
        let given =
            "it was given \(arguments[index].kindDescription):\n"
            + ArgumentMark.text(action, parameters, at: index)
        switch error as? DecodingError {
        case .keyNotFound, .typeMismatch, .valueNotFound:
            var failure = CommandFailure(decoding: error, subject, code: .wrongType)
            failure.hint = given
            return failure
        default:
            return CommandFailure(
                .wrongType, "\(subject), and what was typed does not decode as one", hint: given
            )
        }
    }
}

/// What is recorded of a call: nothing that could be a secret.
///
/// A closure's parameters have no names at run time, so that nothing says what an argument is. Its
/// value is recorded where the registration gave its name and the name is no secret's; of any other
/// its type and its length are.
struct CallRecord {
    let action: Action
    let masks: MaskPolicy

    /// `(title: "x"; String, 12 characters)`: the arguments as they are recorded.
    func text(of arguments: [Literal.Argument]) -> String {
        let parts = arguments.enumerated().map { index, argument in
            guard let name = action.argumentName(index) else {
                return Self.sort(of: argument.value, as: action.parameters, at: index)
            }
            return name + ": "
                + (masks.masks(name: name)
                    ? Self.sort(of: argument.value, as: action.parameters, at: index)
                    : argument.value.masked(by: masks.names))
        }
        return "(\(parts.joined(separator: "; ")))"
    }

    /// Returns whether the record lacks a value of the arguments: nothing else keeps them then.
    func leavesOut(_ arguments: [Literal.Argument]) -> Bool {
        arguments.enumerated().contains { index, argument in
            switch argument.value {
            // They tell nothing of a secret.
            case .bool, .null: return false
            default: break
            }
            guard let name = action.argumentName(index) else { return true }
            return masks.masks(name: name)
                || argument.value.masked(by: masks.names) != argument.value.description
        }
    }

    /// `String, 12 characters`.
    private static func sort(of value: Literal, as types: [String], at index: Int) -> String {
        let type = types.indices.contains(index) ? types[index] : value.typeDescription
        return length(of: value).map { "\(type), \($0)" } ?? type
    }

    /// How long what was typed is, in the words of its kind.
    static func length(of value: Literal) -> String? {
        switch value {
        case .string(let text): Quantity.count(text.count, "character", "characters")
        case .array(let elements): Quantity.count(elements.count, "element", "elements")
        case .dictionary(let entries): Quantity.count(entries.count, "entry", "entries")
        case .tuple(let elements): Quantity.count(elements.count, "value", "values")
        case .null, .bool, .integer, .float, .enumCase, .made, .range, .path, .spelled: nil
        }
    }
}
#endif
