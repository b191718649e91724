#if DEBUG
import TelltaleParked
import TelltaleParkedOptimised
import TelltalePicture
import TelltaleSystem
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

/// Threads that wait at the end of chains of functions whose names and lines are known.
@Suite(.serialized)
struct ParkedStackTests {
    /// A thread's own report in `Parking`.
    private struct Parked {
        var id: Int32
        /// Innermost first.
        var chain: [(function: String, line: Int)] = []

        init?(_ line: String) {
            var fields: [Substring: Substring] = [:]
            for word in line.split(separator: " ") {
                let parts = word.split(separator: "=", maxSplits: 1)
                if let key = parts.first, let value = parts.dropFirst().first {
                    fields[key] = value
                }
            }
            guard let id = fields["thread"].flatMap({ Int32($0) }) else { return nil }
            self.id = id
            for call in (fields["chain"] ?? "").split(separator: ",") {
                let parts = call.split(separator: ":")
                guard let name = parts.first, let number = parts.last.flatMap({ Int($0) })
                else { return nil }
                chain.append((String(name), number))
            }
        }
    }

    private static let kinds = [
        "read", "poll", "epoll", "usleep", "condition", "semaphore", "sync", "nslock", "mutex",
        "inlined", "deep",
    ]

    private static func lines(_ kind: String, optimised: Bool, count: Int = 1) -> [String] {
        optimised
            ? TelltaleParkedOptimised.Parking.park(kind, count: count)
            : TelltaleParked.Parking.park(kind, count: count)
    }

    private static func check(
        _ parked: Parked, _ sample: ThreadFacts, _ symbols: Symbolicator
    ) -> String? {
        let frames = symbols.resolve(
            sample.frames, deadline: .now.advanced(by: .seconds(20))
        ).flatMap { $0 }
        let shown = frames.map { "\($0.function ?? "?"):\($0.line ?? 0)" }
        if let gap = sample.gap { return "\(gap): \(shown)" }
        var rest = frames[...]
        for call in parked.chain {
            guard
                let place = rest.firstIndex(where: {
                    $0.function?.contains(".\(call.function)(") ?? false
                })
            else { return "no \(call.function) in \(shown)" }
            if rest[place].line != call.line {
                return "\(call.function): line \(rest[place].line ?? 0), not \(call.line)"
            }
            rest = rest[(place + 1)...]
        }
        guard rest.contains(where: { $0.function?.contains("parkEntry") ?? false }) else {
            return "no entry in \(shown)"
        }
        return nil
    }

    @Test(
        "all names and lines of a thread that waits, in order, in 100 of 100 captures",
        arguments: kinds, [false, true])
    func parked(kind: String, optimised: Bool) throws {
        _ = ThreadLayout.known(by: .now.advanced(by: .seconds(30)))
        let parked = try #require(
            Self.lines(kind, optimised: optimised).compactMap(Parked.init).last)
        let table = ThreadCapture()
        let symbols = Symbolicator()
        for _ in 0..<100 {
            let captured = table.capture(
                .only([parked.id]), until: .now.advanced(by: .seconds(30)))
            let sample = try #require(captured.threads.first)
            let problem = Self.check(parked, sample, symbols)
            #expect(problem == nil)
            if problem != nil { break }
        }
    }

    @Test(
        "a thread that spins is seen down to its entry in at least 95 of 100 captures",
        arguments: ["spin", "spin-calls"], [false, true])
    func spinning(kind: String, optimised: Bool) throws {
        let ids = Self.lines(kind, optimised: optimised, count: 2).compactMap { Parked($0)?.id }
        defer {
            TelltaleParked.Parking.stopSpinning()
            TelltaleParkedOptimised.Parking.stopSpinning()
        }
        #expect(ids.count == 2)
        let table = ThreadCapture()
        let symbols = Symbolicator()
        var whole = 0
        var total = 0
        var gaps: [String: Int] = [:]
        for _ in 0..<300 {
            let captured = table.capture(.only(ids), until: .now.advanced(by: .seconds(30)))
            for sample in captured.threads {
                total += 1
                let names = symbols.resolve(
                    sample.frames, deadline: .now.advanced(by: .seconds(20))
                ).flatMap { $0 }.compactMap(\.function)
                let isWhole =
                    sample.gap == nil && names.contains { $0.contains("parkEntry") }
                if isWhole {
                    whole += 1
                } else {
                    gaps[sample.gap ?? "no entry", default: 0] += 1
                }
            }
        }
        #expect(Double(whole) >= 0.95 * Double(total), "\(gaps)")
    }
}
#endif
