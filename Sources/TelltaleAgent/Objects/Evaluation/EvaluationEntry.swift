#if TELLTALE_AGENT
import TelltaleRuntime

/// The code of an evaluation as the loaded object hands it over.
final class EvaluatedCode: @unchecked Sendable {
    // Set by the object's entry function, on the thread that loads it; used after that.
    fileprivate(set) var synchronous: (@Sendable () throws -> Any?)?
    fileprivate(set) var asynchronous: (@Sendable () async throws -> Any?)?

    /// Calls the object's entry function.
    init(entry: UInt) {
        typealias Entry = @convention(c) (UnsafeMutableRawPointer) -> Void
        let entry = unsafeBitCast(entry, to: Entry.self)
        entry(Unmanaged.passUnretained(self).toOpaque())
    }
}

// The functions that compiled code calls, by these symbols. The client writes their declarations.

@_silgen_name("telltale_eval_take")
package func takeEvaluatedCode(
    _ code: UnsafeMutableRawPointer, _ body: @escaping @Sendable () throws -> Any?
) {
    Unmanaged<EvaluatedCode>.fromOpaque(code).takeUnretainedValue().synchronous = body
}

@_silgen_name("telltale_eval_take_async")
package func takeEvaluatedCode(
    async code: UnsafeMutableRawPointer, _ body: @escaping @Sendable () async throws -> Any?
) {
    Unmanaged<EvaluatedCode>.fromOpaque(code).takeUnretainedValue().asynchronous = body
}

/// Returns a registered object, retained for the caller; `nil` if it is gone.
@_silgen_name("telltale_eval_object")
package func objectForEvaluatedCode(_ name: StaticString) -> UnsafeMutableRawPointer? {
    guard case .object(let reference)? = SharedState.current.objects.entry("\(name)")?.target,
        let object = reference.retained()
    else { return nil }
    return Unmanaged.passRetained(object).toOpaque()
}
#endif
