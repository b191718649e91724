#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension ThreadFacts {
    /// The innermost function of the host's own that it is in.
    var hostFrame: ResolvedFrame? { stack.hostFrame }
}

extension [ResolvedFrame] {
    /// The part of a stack that a finding shows: without the frames of the pool that runs the
    /// host's outermost one, and without frames made by the compiler.
    var hostsPart: [StackFrame] {
        let last = lastIndex(where: \.isHosts)
        return prefix(last.map { $0 + 1 } ?? count).filter {
            $0.origin != .thunk && !$0.isMadeByCompiler
        }.prefix(64).map { StackFrame($0) }
    }
}

extension ResolvedFrame {
    // The second half of a closure that the compiler has cut in two, which the first one names.
    fileprivate var isMadeByCompiler: Bool {
        (line ?? 0) == 0 && file != nil && sourceFile == nil
    }
}
#endif
