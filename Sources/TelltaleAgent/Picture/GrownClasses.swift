#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Counts of the heap's objects by class, for the growth between samples.
struct GrownClasses {
    /// The maximum duration of a count, in microseconds, after which no other is made.
    private static let longest = 400_000
    /// The maximum number of objects of a class from which some are chosen.
    private static let mostAddresses = 4096

    /// The time for each count.
    private let time: Duration
    private var last: HeapCensus?
    /// A sentence, if the heap was not counted as often as it had to be.
    private(set) var gap: String?

    init(within time: Duration) { self.time = time }

    /// Adds a count to a sample, unless counting takes too long.
    mutating func count(into sample: inout GrowthSample) {
        guard gap == nil else { return }
        do throws(CommandFailure) {
            let census = try HeapCensus.counted(
                until: .now.advanced(by: time), capacity: Self.mostAddresses)
            last = census
            if let cut = census.gaps.first {
                gap = "growth of classes was not looked at: \(cut)"
                return
            }
            sample.add(census)
            if census.microseconds > Self.longest {
                gap =
                    "growth of classes was not looked at: a count of the heap takes "
                    + Quantity.time(microseconds: census.microseconds)
            }
        } catch {
            gap = "growth of classes was not looked at: \(error.message)"
        }
    }

    /// Returns some objects of the class that has grown, from all over the heap.
    func examples(of growth: Growth, atMost most: Int) -> [UInt] {
        guard case .heap(let word) = growth.subject, let census = last else { return [] }
        census.want(word)
        census.count()
        let kept = census.kept
        return (0..<most).compactMap { index in
            kept.isEmpty ? nil : kept[kept.count * (2 * index + 1) / (2 * most)]
        }
    }

    /// Returns the growths with their names, without the agent's own.
    func named(_ growths: [Growth]) -> [(name: String, growth: Growth)] {
        let names = last.map { HeapNames($0) }
        return growths.compactMap { growth in
            if let name = growth.subject.name { return (name, growth) }
            if growth.subject.queue != nil { return ("", growth) }
            guard case .heap(let word) = growth.subject, let census = last,
                let row = census.rows.first(where: { $0.word == word }),
                let name = names?.name(of: row), !name.isAgents
            else { return nil }
            return (name.title, growth)
        }
    }
}

extension HeapNames.Name {
    /// `Photo`, `closures that capture Photo`.
    fileprivate var title: String {
        guard kind == "captures" else { return text }
        return text == "?" ? "captures of closures" : "closures that capture \(text)"
    }
}
#endif
