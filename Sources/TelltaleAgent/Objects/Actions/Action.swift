#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

/// A type-erased registered action: only the closures made at its registration know the parameter and result
/// types of the host's closure.
final class Action: Registered {
    enum Outcome: Sendable {
        case returned(UncheckedValue?)
        /// The text of the host's error, and the error itself.
        case threw(String, UncheckedValue)
        /// The action was not called.
        case failed(CommandFailure)
    }

    /// The closure with its decoded arguments.
    enum Prepared: Sendable {
        case synchronous(@Sendable () -> Outcome)
        case asynchronous(@Sendable () async -> Outcome)
    }

    typealias Prepare = @Sendable ([JSONValue]) throws -> Prepared

    let identifier: UInt64
    let name: String
    /// The types that the arguments are decoded as; empty for an action without value completion.
    let types: [Any.Type]
    let parameters: [String]
    /// The argument names given at registration; empty if none were given.
    let names: [String]
    /// The number of names given, if it differs from the number of arguments.
    let refusedNames: Int?
    let result: String
    let owner: Owner
    /// The conditions under which the action runs.
    let run: RunOptions
    /// The identity of the host code that runs.
    let code: HostCodeTrials.Code
    /// The object or actor that the action belongs to; `nil` for an action by itself.
    private let object: HostReference?
    let isAsync: Bool
    private let held: HeldValue<Prepare>?
    // Keeps the queue until everything else that this action has of its owner was released.
    private let queue: QueueReference?
    /// Decodes the arguments; `nil` if the action's object is gone.
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

    /// In a forked child: a copy of the parent's action, with its own locks.
    convenience init(inheriting action: Action) {
        self.init(
            action, owner: action.owner, of: action.object.map(HostReference.init(inheriting:)),
            held: action.held, run: action.run)
    }

    /// The action with the run options of its registration.
    func running(_ options: RunOptions) -> Action {
        guard !options.isEmpty else { return self }
        let isOff = options.contains(.offOwner) && !owner.isIsolation
        return Action(self, owner: isOff ? .none : owner, of: object, held: held, run: options)
    }

    /// The address of the action's object; `nil` if it has none.
    var objectAddress: UInt? { object?.address }

    /// True if the action's object is gone.
    var isGone: Bool { object?.isGone ?? false }

    /// The action's name and signature, without its closure.
    var remains: Action? { Action(self, owner: .none, of: object, held: nil, run: run) }

    /// The name of an argument from the registration; `nil` if none was given.
    func argumentName(_ index: Int) -> String? {
        names.indices.contains(index) && !names[index].isEmpty ? names[index] : nil
    }

    /// The arguments as lists show them: `title: String`, or the type alone.
    var renderedParameters: [String] {
        parameters.enumerated().map { index, type in
            argumentName(index).map { "\($0): \(type)" } ?? type
        }
    }

    /// The signature as in `photos.add(String, String)`.
    var signature: String { "\(name)(\(renderedParameters.joined(separator: ", ")))" }
}

/// A host value passed from the owner that made it to the reader on the same owner.
struct UncheckedValue: @unchecked Sendable {
    // Passed from one thread to the next, never used by two at once.
    let value: Any
}

/// Returns the arguments one after another, each decoded as the requested type.
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

    /// The error for an argument that can't be decoded. It repeats neither the typed value nor the message of
    /// the type's own code, because either may be a secret.
    private func failure(at index: Int, of type: String, _ error: any Error) -> CommandFailure {
        let subject =
            "cannot convert \(arguments[index].kindDescription) (argument \(index + 1) of \(action)) "
            + "to \(type)"
        let mark = ArgumentMark.text(action, parameters, at: index)
        switch error as? DecodingError {
        case .keyNotFound, .typeMismatch, .valueNotFound:
            var failure = CommandFailure(decoding: error, subject, code: .wrongType)
            failure.hint = mark
            return failure
        default: return CommandFailure(.wrongType, subject, hint: mark)
        }
    }
}

/// The record of a call, without anything that could be a secret.
///
/// A closure's parameters have no names at run time, so nothing tells what an argument means. An argument's
/// value is recorded if the registration named the argument and the name is not a secret's; for other
/// arguments only the type and the length are recorded.
struct CallRecord {
    let action: Action
    let masks: MaskPolicy

    /// The arguments as recorded: `(title: "x"; String, 12 characters)`.
    func text(of arguments: [Literal.Argument]) -> String {
        let isPair = namesSecret(arguments)
        let parts = arguments.enumerated().map { index, argument in
            guard let name = action.argumentName(index) else {
                return Self.sort(of: argument.value, as: action.parameters, at: index)
            }
            return name + ": "
                + (isPair || masks.masks(name: name)
                    ? Self.sort(of: argument.value, as: action.parameters, at: index)
                    : argument.value.masked(by: masks.names))
        }
        return "(\(parts.joined(separator: "; ")))"
    }

    /// Returns whether the record lacks the value of an argument, which is then kept nowhere.
    func leavesOut(_ arguments: [Literal.Argument]) -> Bool {
        arguments.enumerated().contains { index, argument in
            switch argument.value {
            // These reveal nothing of a secret.
            case .bool, .null: return false
            default: break
            }
            guard let name = action.argumentName(index), !namesSecret(arguments) else {
                return true
            }
            return masks.masks(name: name)
                || argument.value.masked(by: masks.names) != argument.value.description
        }
    }

    /// Returns true if an argument is the name of a secret, so that another one may be its value, as in
    /// `put(key: "Authorization", value: "…")`.
    private func namesSecret(_ arguments: [Literal.Argument]) -> Bool {
        arguments.contains { argument in
            if case .string(let text) = argument.value { masks.masks(name: text) } else { false }
        }
    }

    /// The type and length of an unrecorded value: `String, 12 characters`.
    private static func sort(of value: Literal, as types: [String], at index: Int) -> String {
        let type = types.indices.contains(index) ? types[index] : value.typeDescription
        return length(of: value).map { "\(type), \($0)" } ?? type
    }

    /// The length of a typed value, in the unit of its kind.
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

/// A call's signature with a mark below the parameter in error. The typed argument is not repeated, because
/// it may be a secret.
enum ArgumentMark {
    /// The text `photos.add(String, count: Int)`, with `^~~~~~~~~~` below the second parameter.
    static func text(_ name: String, _ parameters: [String], at index: Int) -> String {
        let line = "\(name)(\(parameters.joined(separator: ", ")))"
        guard parameters.indices.contains(index) else { return line }
        let before = "\(name)(" + parameters[..<index].map { $0 + ", " }.joined()
        let mark = "^" + String(repeating: "~", count: max(0, parameters[index].count - 1))
        return line + "\n" + String(repeating: " ", count: before.count) + mark
    }
}
#endif
