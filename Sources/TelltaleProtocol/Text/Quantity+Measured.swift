#if TELLTALE_COMPILED
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
#endif
