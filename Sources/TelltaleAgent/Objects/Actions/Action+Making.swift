#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

extension Action {
    /// Type-erases a closure of the host's. The parameter pack can't be passed further than this: a generic
    /// function that took the closure on crashed the compiler (swift-6.3.1), so each kind of closure has its
    /// own maker.
    static func make<each Argument: Decodable & SendableMetatype, Result>(
        name: String, arguments names: [String], owner: Owner, of object: AnyObject? = nil,
        _ body: @escaping @Sendable (repeat each Argument) throws -> Result
    ) -> Action {
        var types: [Any.Type] = []
        repeat types.append((each Argument).self)
        let parameters = types.map(rendered)
        let prepare: @Sendable ([JSONValue]) throws -> Prepared = { json in
            var cursor = try ArgumentCursor(json, of: name, expecting: parameters)
            // Used once, by the thread that runs the action.
            nonisolated(unsafe) let arguments = (repeat try cursor.next((each Argument).self))
            let run: @Sendable () -> Outcome = {
                do {
                    return wrap(try body(repeat each arguments))
                } catch {
                    return .threw(text(of: error), UncheckedValue(value: error))
                }
            }
            return .synchronous(run)
        }
        return Action(
            name: name, parameters: parameters, types: types, names: names,
            result: "\(Result.self)", owner: owner, of: object, isAsync: false, prepare: prepare)
    }

    /// Type-erases an asynchronous closure of the host's.
    static func makeAsync<each Argument: Decodable & SendableMetatype, Result>(
        name: String, arguments names: [String], owner: Owner,
        _ body: @escaping @Sendable (repeat each Argument) async throws -> Result
    ) -> Action {
        var types: [Any.Type] = []
        repeat types.append((each Argument).self)
        let parameters = types.map(rendered)
        let prepare: @Sendable ([JSONValue]) throws -> Prepared = { json in
            var cursor = try ArgumentCursor(json, of: name, expecting: parameters)
            nonisolated(unsafe) let arguments = (repeat try cursor.next((each Argument).self))
            let run: @Sendable () async -> Outcome = {
                do {
                    return wrap(try await body(repeat each arguments))
                } catch {
                    return .threw(text(of: error), UncheckedValue(value: error))
                }
            }
            return .asynchronous(run)
        }
        return Action(
            name: name, parameters: parameters, types: types, names: names,
            result: "\(Result.self)", owner: owner, isAsync: true, prepare: prepare)
    }

    static func rendered(_ type: Any.Type) -> String { String(describing: type) }

    static func wrap<Result>(_ result: Result) -> Outcome {
        Result.self == Void.self ? .returned(nil) : .returned(UncheckedValue(value: result))
    }

    // Host code runs here, on the worker or the owner that ran the action.
    static func text(of error: any Error) -> String {
        HostLabel.shown(String(describing: error)).escaped(limit: 2000)
    }
}
#endif
