#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import TelltaleAgentProtocol

    /// A registered action, with its types erased: what the host's closure takes and gives is known only
    /// to the closures made at its registration.
    final class Action: Sendable {
        /// What came of running it.
        enum Outcome: Sendable {
            case returned(UncheckedValue?)
            case threw(String)
        }

        /// The closure with its arguments in place.
        enum Prepared: Sendable {
            case synchronous(@Sendable () -> Outcome)
            case asynchronous(@Sendable () async -> Outcome)
        }

        typealias Prepare = @Sendable ([JSONValue]) throws -> Prepared

        let identifier: UInt64
        let name: String
        let parameters: [String]
        let result: String
        let owner: Owner
        let isAsync: Bool
        private let held: HeldValue<Prepare>
        /// Decodes the arguments.
        ///
        /// - Throws: `CommandFailure`.
        /// - Important: Runs host code: the `init(from:)` of the arguments' types.
        var prepare: Prepare? { held.value }

        init(
            identifier: UInt64, name: String, parameters: [String], result: String, owner: Owner,
            isAsync: Bool,
            prepare: @escaping Prepare
        ) {
            self.identifier = identifier
            self.name = name
            self.parameters = parameters
            self.result = result
            self.owner = owner
            self.isAsync = isAsync
            held = HeldValue(prepare, of: owner, .toOwnerOrHost)
        }

        /// `photos.add(String, String)`.
        var signature: String { "\(name)(\(parameters.joined(separator: ", ")))" }
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
        private let arguments: [JSONValue]
        private var position = 0

        init(_ arguments: [JSONValue], of action: String, expecting parameters: [String]) throws {
            self.action = action
            self.arguments = arguments
            guard arguments.count == parameters.count else {
                let count = parameters.count == 1 ? "1 argument" : "\(parameters.count) arguments"
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
                return try JSONValueDecoder.decode(type, from: arguments[index])
            } catch {
                throw CommandFailure(
                    .wrongType,
                    "argument \(index + 1) of \(action) is a \(type): "
                        + Text.oneLine("\(error)", limit: 400),
                    hint: "it was given \(arguments[index].serialized())")
            }
        }
    }
#endif
