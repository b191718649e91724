#if TELLTALE_AGENT
import CTelltaleSystem

/// The memory, at most 4 MB, that stays of a large answer for the next one.
enum KeptPages {
    /// Has it kept while something runs that looks after its age.
    static func during<R>(_ body: () -> R) -> R {
        ctelltale_kept_pages_begin()
        defer { ctelltale_kept_pages_end() }
        return body()
    }

    /// Lets go of it unless it was used since the last call.
    static func age() { ctelltale_kept_pages_age() }
}
#endif
