#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The facts of `info` about the start of the process and about its open descriptors.
enum InfoFacts {
    private static let mask = MaskPolicy.text
    /// Longer arguments are truncated; arguments, variables and descriptors beyond these limits are only
    /// counted.
    private static let longestArgument = 200
    private static let mostArguments = 64
    private static let mostVariables = 200
    private static let mostDescriptors = 4096
    private static let mostListed = 1000

    /// The arguments, separated by spaces; an argument that is or may be a secret is masked.
    static var arguments: String {
        guard let words = words(of: "/proc/self/cmdline") else { return "not available" }
        var shown: [String] = []
        var isSecret = false
        for word in words.dropFirst().prefix(mostArguments) {
            // This includes a word that looks like an option: a password may begin with a dash.
            shown.append(isSecret ? mask : argument(word))
            // An option such as `--password x` has its value in the next word.
            isSecret = word.hasPrefix("-") && !word.contains("=") && isNamedSecret(word)
        }
        if words.count - 1 > mostArguments {
            shown.append("… \(words.count - 1 - mostArguments) more")
        }
        return shown.isEmpty ? "none" : shown.joined(separator: " ")
    }

    private static func argument(_ word: String) -> String {
        if let equals = word.firstIndex(of: "="), isNamedSecret(String(word[..<equals])) {
            return word[...equals] + mask
        }
        guard !SecretLooks.holdsSecret(word) else { return mask }
        let text = HostLabel.shown(word).escaped(limit: longestArgument)
        return text.contains(" ") || text.isEmpty ? Literal.quoted(text) : text
    }

    private static func isNamedSecret(_ name: String) -> Bool {
        HostLabel.isSecret(String(name.drop { $0 == "-" }))
    }

    /// The names of the environment variables that the process was started with; the agent's own are shown
    /// with their values.
    static var environment: String {
        guard let words = words(of: "/proc/self/environ") else { return "not available" }
        let names = words.compactMap { word -> String? in
            guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
                return nil
            }
            let name = word[..<equals]
            return name.hasPrefix("TELLTALE") ? argument(word) : name.escaped(limit: 100)
        }.sorted()
        guard !names.isEmpty else { return "none" }
        let more = names.count - mostVariables
        return names.prefix(mostVariables).joined(separator: " ")
            + (more > 0 ? " … \(more) more" : "")
    }

    static var directory: String {
        ProcessFiles.link("/proc/self/cwd").map { HostLabel.shown($0) } ?? "not available"
    }

    private static func words(of path: String) -> [String]? {
        SmallFile.bytes(of: path, limit: 1 << 20).map { bytes in
            bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast(
                bytes.last == 0 ? 1 : 0
            )
            .map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Returns a summary such as `10 files, 6 sockets, 2 pipes`, with the number of descriptors that
    /// weren't examined.
    static func kinds(of descriptors: OpenDescriptors) -> String {
        var counts: [String: Int] = [:]
        for descriptor in descriptors.found { counts[descriptor.kind, default: 0] += 1 }
        let kinds = counts.keys.sorted { one, other in
            let (left, right) = (counts[one] ?? 0, counts[other] ?? 0)
            return left == right ? one < other : left > right
        }
        let texts = kinds.map { Quantity.count(counts[$0] ?? 0, $0, $0 + "s") }
        let rest = descriptors.rest > 0 ? ["\(Quantity.count(descriptors.rest)) more"] : []
        return (texts + rest).joined(separator: ", ")
    }

    static var descriptors: OpenDescriptors {
        DescriptorReserve.shared.makingRoom(for: 2) { OpenDescriptors(limit: mostDescriptors) }
    }

    /// Returns a row for each descriptor; descriptors of the same thing share one: `7…206  device
    /// /dev/null ×200`. The agent's descriptors are named as the agent's.
    ///
    /// - Parameters:
    ///   - descriptors: The open descriptors.
    ///   - socket: The path of the agent's socket; `nil` without one.
    /// - Returns: The section.
    static func section(of descriptors: OpenDescriptors, socket: String?) -> InfoAnswer.Section {
        let reserve = Set(DescriptorReserve.shared.numbers)
        let own = OwnDescriptor.numbers
        let texts = descriptors.found.map { descriptor in
            let text =
                descriptor.what.isEmpty
                ? descriptor.kind : "\(descriptor.kind) \(HostLabel.shown(descriptor.what))"
            if reserve.contains(descriptor.number) { return text + " (the agent's reserve)" }
            let isSocket = socket.map { descriptor.what.contains($0) } ?? false
            return isSocket || own.contains(descriptor.number) ? text + " (the agent's)" : text
        }
        let groups = rows(
            of: zip(descriptors.found.map(\.number), texts).map { (number: $0, text: $1) })
        var rows = groups.prefix(mostListed).map(\.row)
        let more = groups.dropFirst(mostListed).reduce(descriptors.rest) { $0 + $1.count }
        if more > 0 { rows.append(InfoAnswer.Row("…", "\(more) more")) }
        return InfoAnswer.Section(name: "files", rows: rows)
    }

    /// The number of descriptors of the same thing from which they share a row.
    private static let leastGrouped = 4

    /// Groups descriptors with the same text, each group where its first one stands.
    static func rows(
        of descriptors: [(number: Int32, text: String)]
    ) -> [(row: InfoAnswer.Row, count: Int)] {
        var numbers: [String: [Int32]] = [:]
        for (number, text) in descriptors { numbers[text, default: []].append(number) }
        return descriptors.compactMap { number, text in
            let all = numbers[text] ?? []
            guard let last = all.last, all.count >= leastGrouped else {
                return (InfoAnswer.Row("\(number)", text), 1)
            }
            guard all.first == number else { return nil }
            let key = ranges(all) ?? "\(number)…\(last)"
            return (InfoAnswer.Row(key, "\(text) ×\(all.count)"), all.count)
        }
    }

    /// The maximum number of ranges in the name of a row.
    private static let mostRanges = 3

    /// Returns numbers as ranges, `3…9,11…13`; `nil` if there are too many of them.
    private static func ranges(_ numbers: [Int32]) -> String? {
        var ranges: [ClosedRange<Int32>] = []
        for number in numbers {
            if let last = ranges.last, last.upperBound == number - 1 {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else if ranges.count < mostRanges {
                ranges.append(number...number)
            } else {
                return nil
            }
        }
        return ranges.map { range in
            range.count == 1
                ? "\(range.lowerBound)" : "\(range.lowerBound)…\(range.upperBound)"
        }.joined(separator: ",")
    }

    /// Returns a row such as `1024 of 4096, 12 used` for each limit.
    static func section(of limits: LimitsAnswer) -> InfoAnswer.Section {
        InfoAnswer.Section(
            name: "limits",
            rows: limits.limits.map { limit in
                func text(_ value: UInt64?) -> String {
                    guard let value else { return "unlimited" }
                    return limit.unit == "bytes"
                        ? Quantity.bytes(value, .field) : Quantity.count(value)
                }
                if let gap = limit.gap, limit.soft == nil { return InfoAnswer.Row(limit.name, gap) }
                let used = limit.used.map { "\(text($0)) of " } ?? ""
                return InfoAnswer.Row(limit.name, used + text(limit.soft))
            })
    }
}
#endif
