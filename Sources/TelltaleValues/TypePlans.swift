#if TELLTALE_AGENT
import CTelltaleSystem
import Synchronization
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The descriptions of types that C needs to read their values, created once for each type and each set of
/// rules.
///
/// For use by one thread at a time.
package final class TypePlans: @unchecked Sendable {
    let plans: OpaquePointer
    fileprivate let generation: UInt64

    fileprivate init?() {
        guard let plans = ctelltale_plans_make() else { return nil }
        self.plans = plans
        generation = PlanPool.generation
    }

    deinit { ctelltale_plans_free(plans) }

    /// The number of a text.
    func name(_ text: String) -> CTelltaleName {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                var none = CChar(0)
                return ctelltale_name(
                    plans, bytes.baseAddress ?? withUnsafePointer(to: &none) { $0 }, bytes.count)
            }
        }
    }

    /// True if the name table is full, so that the result of a read is incomplete.
    var lacksNames: Bool { ctelltale_names_are_cut(plans) }

    /// The total size of all names, in bytes.
    var namesSize: Int { ctelltale_names_size(plans) }

    func text(_ name: CTelltaleName) -> String {
        let text = ctelltale_name_text(plans, name).pointee
        return String(
            decoding: UnsafeRawBufferPointer(start: text.bytes, count: Int(text.size)),
            as: UTF8.self)
    }

    func plan(of type: Any.Type) -> UnsafeMutablePointer<CTelltalePlan>? {
        ctelltale_plan(plans, TypeMetadata(type).pointer)
    }
}

/// A pool of plans for one set of rules. Each concurrent read uses its own plans, and some are kept for
/// reuse.
package final class PlanPool: Sendable {
    /// The number of changes to the types with a format.
    private static let changes = Atomic<UInt64>(0)
    private static let kept = 2
    /// The maximum size of the names in pooled plans, in bytes; a name of 20 letters takes some 70.
    static let mostNamesSize = 1 << 20

    private let free = Locked<[TypePlans]>([])

    package init() {}

    package static var generation: UInt64 {
        changes.load(ordering: .acquiring) &+ UInt64(truncatingIfNeeded: TypeImages.generation)
    }

    /// Invalidates all plans. A change of the loaded images does so too.
    package static func outdate() { changes.wrappingAdd(1, ordering: .acquiringAndReleasing) }

    /// Returns plans for one read; nil if there is no memory. They must be returned with ``giveBack(_:)``.
    package func take() -> TypePlans? {
        let current = Self.generation
        let kept = free.withLock { free -> TypePlans? in
            free.removeAll { $0.generation != current }
            return free.popLast()
        }
        return kept ?? TypePlans()
    }

    /// Returns plans to the pool, unless the host's data have made them large: the keys of dictionaries are
    /// names too, and each read may add others. Such plans are discarded, and later created anew.
    func giveBack(_ plans: TypePlans) {
        guard plans.namesSize <= Self.mostNamesSize, !plans.lacksNames else { return }
        free.withLock { if $0.count < Self.kept { $0.append(plans) } }
    }
}
#endif
