#if TELLTALE_COMPILED
/// The processes of this machine, as far as `/proc` shows them.
package enum ProcessList {
    /// The numbers of all processes that can be seen, in order; none where there is no `/proc`.
    package static func pids() -> [Int32] {
        DirectoryListing.names(in: "/proc").compactMap { Int32($0) }.filter { $0 > 0 }.sorted()
    }

    /// Splits the numbers of a status file's `NSpid`, outermost namespace first.
    package static func namespacePids(_ text: String) -> [Int32] {
        text.split(whereSeparator: { $0 == "\t" || $0 == " " }).compactMap { Int32($0) }
    }
}
#endif
