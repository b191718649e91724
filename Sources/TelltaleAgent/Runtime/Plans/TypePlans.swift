#if TELLTALE_AGENT
import CTelltaleSystem
import Synchronization
import TelltaleProtocol
import TelltaleSystem

/// What C needs to know of types to read their values, made once for each type and each set of rules.
///
/// To be used by one thread at a time.
final class TypePlans: @unchecked Sendable {
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

    /// Whether a name had no number left for it, so that what was read with it is not all there.
    var lacksNames: Bool { ctelltale_names_are_cut(plans) }

    /// Bytes of all names.
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

/// The plans of one set of rules: as many as there are readings at once, of which some are kept.
final class PlanPool: Sendable {
    /// What plans are made from has changed so often: what images there are, and what has a format.
    private static let changes = Atomic<UInt64>(0)
    private static let kept = 2
    /// Bytes of names in plans that are kept; one of 20 letters takes some 70.
    static let mostNamesSize = 1 << 20

    private let free = Locked<[TypePlans]>([])

    static var generation: UInt64 { changes.load(ordering: .acquiring) }

    /// Has all plans made anew.
    static func outdate() { changes.wrappingAdd(1, ordering: .acquiringAndReleasing) }

    /// Plans for one reading; nil without memory. To be given back.
    func take() -> TypePlans? {
        let current = Self.generation
        let kept = free.withLock { free -> TypePlans? in
            free.removeAll { $0.generation != current }
            return free.popLast()
        }
        return kept ?? TypePlans()
    }

    /// Takes plans back, unless they have become large by the host's data: a dictionary's keys are names too, and
    /// others come with each reading. They are made anew then.
    func giveBack(_ plans: TypePlans) {
        guard plans.namesSize <= Self.mostNamesSize, !plans.lacksNames else { return }
        free.withLock { if $0.count < Self.kept { $0.append(plans) } }
    }
}
#endif
