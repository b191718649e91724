#if TELLTALE_AGENT
import TelltaleProtocol

extension Action {
    /// Type-erases a closure of the host's that is isolated to an actor; the actor is referenced weakly.
    static func make<
        Object: Actor, each Argument: Decodable & SendableMetatype, Result
    >(
        name: String, arguments names: [String], of actor: Object,
        _ body: @escaping @Sendable (isolated Object, repeat each Argument) throws -> Result
    ) -> Action {
        var types: [Any.Type] = []
        repeat types.append((each Argument).self)
        let parameters = types.map(rendered)
        let weak = Weak(actor)
        let prepare: @Sendable ([JSONValue]) throws -> Prepared = { json in
            var cursor = try ArgumentCursor(json, of: name, expecting: parameters)
            nonisolated(unsafe) let arguments = (repeat try cursor.next((each Argument).self))
            let turn: @Sendable (isolated Object) -> Outcome = { actor in
                do {
                    return wrap(try body(actor, repeat each arguments))
                } catch {
                    return .threw(text(of: error), UncheckedValue(value: error))
                }
            }
            // The action's owner is the actor, so this runs in a job of the actor: the cast does what
            // `assumeIsolated` does, without its trap.
            let here = unsafeBitCast(turn, to: (@Sendable (Object) -> Outcome).self)
            return .synchronous { weak.object.map { here($0) } ?? gone(name) }
        }
        return Action(
            name: name, parameters: parameters, types: types, names: names,
            result: "\(Result.self)", owner: .actor(WeakActor(actor)), of: actor, isAsync: false,
            prepare: prepare)
    }

    /// Type-erases an asynchronous closure of the host's that is isolated to an actor; the actor is
    /// referenced weakly. The result stays on the actor until it has been read there.
    static func makeAsync<
        Object: Actor, each Argument: Decodable & SendableMetatype, Result
    >(
        name: String, arguments names: [String], of actor: Object,
        _ body:
            @escaping @Sendable (isolated Object, repeat each Argument) async throws -> Result
    ) -> Action {
        var types: [Any.Type] = []
        repeat types.append((each Argument).self)
        let parameters = types.map(rendered)
        let weak = Weak(actor)
        let prepare: @Sendable ([JSONValue]) throws -> Prepared = { json in
            var cursor = try ArgumentCursor(json, of: name, expecting: parameters)
            nonisolated(unsafe) let arguments = (repeat try cursor.next((each Argument).self))
            let run: @Sendable (isolated Object) async -> Outcome = { actor in
                do {
                    return wrap(try await body(actor, repeat each arguments))
                } catch {
                    return .threw(text(of: error), UncheckedValue(value: error))
                }
            }
            return .asynchronous {
                guard let actor = weak.object else { return gone(name) }
                return await run(actor)
            }
        }
        return Action(
            name: name, parameters: parameters, types: types, names: names,
            result: "\(Result.self)", owner: .actor(WeakActor(actor)), of: actor, isAsync: true,
            prepare: prepare)
    }

    private static func gone(_ name: String) -> Outcome {
        let gone = ObjectGone(name: name)
        return .threw(text(of: gone), UncheckedValue(value: gone))
    }
}
#endif
