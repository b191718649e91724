#if TELLTALE_COMPILED
/// The only formatter of numbers: counts, sizes, times, addresses. The same in every answer, line and
/// sentence.
///
/// An elapsed time is never reported longer than it was: times are cut and not rounded, so that `at
/// least 12.4 s` is true.
package enum Quantity {
    /// The context of a number with a unit.
    package enum Form {
        /// In a sentence: `12.4 s`, `64 MiB`.
        case sentence
        /// In a column or as the value of a `key=value`, which has no spaces: `12.4s`, `64M`.
        case field
    }

    /// A count with its thousands apart: `9,988`.
    package static func count(_ value: some BinaryInteger) -> String {
        let digits = String(value.magnitude)
        var grouped = value < 0 ? "-" : ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position).isMultiple(of: 3) { grouped.append(",") }
            grouped.append(digit)
        }
        return grouped
    }

    /// A count and its noun: `1 element`, `9,988 elements`.
    package static func count(_ value: Int, _ one: String, _ many: String) -> String {
        "\(count(value)) \(value == 1 ? one : many)"
    }

    /// The omission, and the option that shows the rest: ``… 12 more (`--limit 112`)``.
    package static func more(_ omitted: Int, by option: String? = nil) -> String {
        "… \(count(omitted)) more" + (option.map { " (`\($0)`)" } ?? "")
    }

    /// A size in memory or in a file, in powers of 1,024: `84M`, `1.4G`, `512B` in a field; `64
    /// MiB`, `1.4 GiB`, `512 B` in a sentence.
    package static func bytes(_ bytes: some BinaryInteger, _ form: Form = .sentence) -> String {
        var unit: UInt64 = 1
        var names = ["B", "K", "M", "G", "T"][...]
        let bytes = UInt64(clamping: bytes)
        while bytes / unit >= 1024, names.count > 1 {
            unit *= 1024
            names.removeFirst()
        }
        let name = names.first ?? ""
        let tenths = bytes / unit < 10 ? (bytes % unit) * 10 / unit : 0
        let number = "\(bytes / unit)" + (tenths > 0 ? ".\(tenths)" : "")
        switch form {
        case .field: return number + name
        case .sentence: return "\(number) \(unit == 1 ? name : name + "iB")"
        }
    }

    /// A part of a whole, 0 to 1 or more: `2.5%`.
    package static func percent(_ part: Double, places: Int = 1) -> String {
        decimal(part * 100, places: places) + "%"
    }

    /// A number with a fixed count of decimals, up to 15, rounded: `12.40`.
    package static func decimal(_ value: Double, places: Int) -> String {
        var power = 1.0
        for _ in 0..<places { power *= 10 }
        let scaled = (value.magnitude * power).rounded()
        guard scaled < 9e18 else { return "\(value)" }
        let digits = String(Int64(scaled))
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        let sign = value < 0 && scaled > 0 ? "-" : ""
        return sign + padded.dropLast(places) + (places > 0 ? "." : "") + padded.suffix(places)
    }

    /// An address, or another word of memory: `0x7f3a10`.
    package static func address(_ word: UInt) -> String { "0x" + String(word, radix: 16) }
}

extension Quantity {
    /// A measured time to three digits, of which none is cut: `264 ns`, `1.42 ms`. For figures that
    /// are compared.
    package static func measured(seconds: Double) -> String {
        measured(seconds * 1e9, steps: 1000, ["ns", "µs", "ms", "s"])
    }

    /// A measured size, or that of a second, to three digits: `46.0 MiB`.
    package static func measured(bytes: Double) -> String {
        measured(bytes, steps: 1024, ["B", "KiB", "MiB", "GiB"])
    }

    private static func measured(_ value: Double, steps: Double, _ units: [String]) -> String {
        var value = value
        var units = units[...]
        while value.magnitude >= steps, units.count > 1 {
            value /= steps
            units.removeFirst()
        }
        let places = value.magnitude < 10 ? 2 : value.magnitude < 100 ? 1 : 0
        return decimal(value, places: places) + " " + (units.first ?? "")
    }
}

extension Collection<String> {
    /// `photos, model and 3 more`: so many of them at most, and how many others there are.
    package func listed(_ most: Int) -> String {
        let shown = prefix(most).joined(separator: ", ")
        return count > most ? "\(shown) and \(Quantity.count(count - most)) more" : shown
    }
}
#endif
