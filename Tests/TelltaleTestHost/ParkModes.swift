import Foundation
import TelltaleParked
import TelltaleParkedOptimised

/// Threads and tasks that stay where they are, in functions whose names and lines are reported.
enum ParkModes {
    /// `park read 10`, `park all`, each with `optimised` at its end for code of `-O`; `spin 2`,
    /// `spin-calls 2`, `spin-stop`. A line for each thread or task comes before the answer.
    ///
    /// - Returns: `ready` and their number; nil for another line.
    static func perform(_ words: [String]) -> String? {
        let optimised = words.last == "optimised"
        let rest = optimised ? words.dropLast() : words[...]
        switch rest.first {
        case "park":
            let name = rest.dropFirst().first ?? "all"
            let count = rest.count > 2 ? Int(rest[2]) ?? 1 : 1
            let kinds = name == "all" ? TelltaleParked.Parking.kinds : [name]
            return report(kinds.map { park($0, count, optimised) })
        case "spin", "spin-calls":
            let count = rest.count > 1 ? Int(rest[1]) ?? 1 : 1
            return report([park(rest[0], count, optimised)])
        case "spin-stop":
            TelltaleParked.Parking.stopSpinning()
            TelltaleParkedOptimised.Parking.stopSpinning()
            return "stopped"
        default: return nil
        }
    }

    private static func park(_ kind: String, _ count: Int, _ optimised: Bool) -> [String] {
        optimised
            ? TelltaleParkedOptimised.Parking.park(kind, count: count)
            : TelltaleParked.Parking.park(kind, count: count)
    }

    private static func report(_ lines: [[String]]) -> String {
        guard !lines.contains(where: \.isEmpty) else { return "not parked" }
        for line in lines.joined() { say(line) }
        return "ready \(lines.joined().count)"
    }
}
