#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// Numbers as the dump and the agent's sentences spell them.
enum Text {
    /// `12.3 s`; milliseconds below a second, microseconds below one of them.
    static func seconds(_ duration: Duration) -> String {
        let seconds = duration.seconds
        if seconds <= 0 { return "0 s" }
        if seconds < 0.001 { return "\(Int((seconds * 1e6).rounded())) µs" }
        if seconds < 1 { return "\(Int((seconds * 1e3).rounded())) ms" }
        return "\(fixed(seconds, 1)) s"
    }

    /// A number with a fixed count of decimals.
    static func fixed(_ value: Double, _ decimals: Int) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
        var scale = 1.0
        for _ in 0..<max(0, decimals) { scale *= 10 }
        let scaled = (abs(value) * scale).rounded()
        let whole = Int(scaled / scale)
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(whole)" }
        let rest = String(Int(scaled - Double(whole) * scale))
        return "\(sign)\(whole)." + String(repeating: "0", count: decimals - rest.utf8.count)
            + rest
    }

    /// `3h12m`, `2d`, `41s`.
    static func uptime(_ seconds: Double) -> String {
        let total = Int(clamping: Int64(max(0, min(seconds, 1e15))))
        if total < 60 { return "\(total)s" }
        if total < 3600 { return "\(total / 60)m\(total % 60)s" }
        if total < 86_400 { return "\(total / 3600)h\(total / 60 % 60)m" }
        let hours = total / 3600 % 24
        return hours == 0 ? "\(total / 86_400)d" : "\(total / 86_400)d\(hours)h"
    }

    /// `84M`.
    static func bytes(_ count: UInt64) -> String {
        var value = Double(count)
        for unit in ["B", "K", "M", "G"] {
            if value < 1024 {
                return "\(value < 10 && unit != "B" ? fixed(value, 1) : fixed(value, 0))\(unit)"
            }
            value /= 1024
        }
        return "\(fixed(value, 1))T"
    }

    /// Text of others as part of a line: control characters can't end it or change a terminal.
    static func oneLine(_ text: String, limit: Int = 4000) -> String {
        String(text.unicodeScalars.prefix(limit)).terminalSafe
    }
}
#endif
