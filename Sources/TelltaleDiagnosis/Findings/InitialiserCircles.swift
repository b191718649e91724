#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Diagnosis {
    /// Finds lazy globals and `static let`s whose initialisers need each other.
    ///
    /// The thread that closes the circle is refused by the kernel (EDEADLK) and asks again and again
    /// (swift-6.3.1, `once_slow`), so that it uses a core and seems to make progress. Each thread's functions say
    /// which value it makes, and which one it needs.
    mutating func findInitialiserCircles() {
        let needs = process.initialiserNeeds
        var seen: Set<Int32> = []
        for start in needs.keys.sorted()
        where !seen.contains(start) && !members.contains(.thread(start)) {
            var circle: [Int32] = []
            var next: Int32? = start
            while let thread = next, !circle.contains(thread), let need = needs[thread] {
                circle.append(thread)
                next = needs.first { $0.value.made.contains(need.wanted) }?.key
            }
            guard next == start else { continue }
            seen.formUnion(circle)
            let values = circle.compactMap { needs[$0]?.wanted }
            add(
                StuckAnswer.Finding(
                    .cycle(of: values.map { .init(.lock, $0) }), seconds: process.window,
                    parties: circle.map { process.party(thread: $0) }),
                circle.map { .thread($0) })
        }
    }
}

extension Comparison {
    /// The value that a thread waits for in an initialiser, and those that it makes itself meanwhile.
    struct InitialiserNeed: Equatable {
        var wanted: String
        var made: Set<String>
    }

    /// The threads that needed the same in both pictures.
    fileprivate var initialiserNeeds: [Int32: InitialiserNeed] {
        let needs = Self.needs(in: later)
        guard !needs.isEmpty else { return [:] }
        let before = Self.needs(in: earlier)
        return needs.filter { before[$0.key] == $0.value }
    }

    private static func needs(in picture: Picture) -> [Int32: InitialiserNeed] {
        var needs: [Int32: InitialiserNeed] = [:]
        for thread in picture.threads where !thread.isAgent {
            var names: [String] = []
            for index in thread.stack.indices.dropLast() where thread.stack[index].isOnce {
                // A thread that makes the innermost value is in its initialiser.
                guard !names.isEmpty || !thread.stack[..<index].contains(where: \.isHosts) else {
                    break
                }
                names.append(thread.stack[index + 1].lazyValue)
            }
            guard let wanted = names.first, names.count > 1 else { continue }
            needs[thread.id] = InitialiserNeed(wanted: wanted, made: Set(names.dropFirst()))
        }
        return needs
    }
}

extension ResolvedFrame {
    fileprivate var isOnce: Bool {
        origin == .system && function?.hasPrefix("swift::threading_impl::once_slow") == true
    }

    /// `LeftHalf.value` for the function `LeftHalf.value.unsafeMutableAddressor`.
    fileprivate var lazyValue: String {
        let name = shortFunction ?? function ?? ""
        let end = ".unsafeMutableAddressor"
        return name.hasSuffix(end) ? String(name.dropLast(end.count)) : name
    }
}
#endif
