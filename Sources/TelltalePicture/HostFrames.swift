#if TELLTALE_AGENT
/// Selects the frame of a stack that shows the location to readers who know the host's own code.
extension [ResolvedFrame] {
    /// The innermost function of the host's own; where it has none there, of the package whose function
    /// is the outermost: whose thread or task it is.
    package var hostFrame: ResolvedFrame? {
        hostIndex.map { self[$0] }
            // A forwarder at least names its target.
            ?? first { $0.origin == .thunk && $0.function != nil && count == 1 }
    }

    /// Indicates that a function of the host's own is among them, and not only of its packages.
    package var hasHostsOwn: Bool { contains { $0.origin == .program } }

    /// The package function called by the host's innermost function, and in which it waits:
    /// `NIOCore next()`; for a stream of the standard library `AsyncStream.Iterator.next`.
    package var machinery: String? {
        guard let index = hostIndex else { return nil }
        guard let called = self[..<index].last(where: { $0.origin == .package }),
            let module = called.swiftModule ?? called.module
        else { return self[..<index].lazy.compactMap(\.streamFunction).first }
        return called.shortFunction.map { "\(module) \($0.withoutTypes)" } ?? module
    }

    private var hostIndex: Int? {
        if let own = innermost(where: { $0.origin == .program }) { return own }
        guard let outermost = last(where: { $0.origin == .package }) else { return nil }
        return innermost { $0.origin == .package && $0.swiftModule == outermost.swiftModule }
    }

    /// The first with a line, else with a name, else with a position. A merged function has no
    /// line, and the resume function after a loop's `await` often has none either.
    private func innermost(where isWanted: (ResolvedFrame) -> Bool) -> Int? {
        let wanted = indices.filter { isWanted(self[$0]) && self[$0].title != nil }
        return wanted.first { self[$0].isTelling && !self[$0].isLazyAccessor }
            ?? wanted.first { self[$0].isTelling }
            ?? wanted.first { self[$0].function != nil } ?? wanted.first
    }
}

extension ResolvedFrame {
    /// The function that awaits a stream's next element, without its parameters.
    fileprivate var streamFunction: String? {
        guard origin == .system,
            let name = (shortFunction ?? function)?.prefix(while: { $0 != "(" }),
            name == "AsyncStream.Iterator.next" || name == "AsyncThrowingStream.Iterator.next"
        else { return nil }
        return String(name)
    }

    /// The compiler's function that makes a lazy global at its first use; its caller is the service's own code.
    fileprivate var isLazyAccessor: Bool {
        (shortFunction ?? function)?.contains(".unsafeMutableAddressor") == true
    }

    fileprivate var isTelling: Bool {
        if (line ?? 0) > 0 || isMerged { return true }
        return kind == .asyncResume && sourceFile != nil
    }
}

extension String {
    /// `next()` of `Stream.Iterator.next()`.
    fileprivate var withoutTypes: String {
        let head = prefix { $0 != "(" }
        let start = head.lastIndex(of: ".").map(index(after:)) ?? startIndex
        return String(self[start...])
    }
}
#endif
