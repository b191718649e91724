#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension ThreadFacts {
    /// The innermost function of the host's own that it is in.
    var hostFrame: ResolvedFrame? { stack.hostFrame }
}

extension [ResolvedFrame] {
    /// The innermost function of the host's own: the first with a line, else the first with a name.
    var hostFrame: ResolvedFrame? {
        let own = filter { $0.origin == .program && $0.function != nil }
        return own.first { ($0.line ?? 0) > 0 } ?? own.first
            // A forwarder says at least for what.
            ?? first { $0.origin == .thunk && $0.function != nil && count == 1 }
    }

    /// What a finding shows of a stack: without the frames of the pool that runs the host's outermost
    /// one, and without what the compiler has made.
    var hostsPart: [StackFrame] {
        let last = lastIndex { $0.origin == .program }
        return prefix(last.map { $0 + 1 } ?? count).filter {
            $0.origin != .thunk && !$0.isMadeByCompiler
        }.prefix(64).map { StackFrame($0) }
    }
}

extension ResolvedFrame {
    // The second half of a closure that the compiler has cut in two, which the first one names.
    fileprivate var isMadeByCompiler: Bool {
        (line ?? 0) == 0 && file?.contains("<compiler-generated>") == true
    }
}
#endif
