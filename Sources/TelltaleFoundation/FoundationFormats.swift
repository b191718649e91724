#if TELLTALE_AGENT
import Foundation
import TelltaleAgent

/// The formats of Foundation's types. Each reads what it shows.
enum FoundationFormats {
    static let all = [date, url, uuid, data, decimal]

    /// UTC with milliseconds where there are any; typed also without them, or with an offset.
    static let date = ValueFormat(
        Date.self, example: "\"2026-11-21T03:12:45.118Z\"",
        render: { value, _ in ValueFormat.Rendering(text(of: value)) }, parse: date(parsing:))

    static let url = ValueFormat(
        stored: URL.self, example: "\"https://example.com/a\"",
        isKnown: { StoredURL.isKnown }, read: StoredURL.rendering(of:bytes:),
        parse: { text in text.isEmpty ? nil : URL(string: text) })

    static let uuid = ValueFormat(
        UUID.self, example: "\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"",
        render: { value, _ in ValueFormat.Rendering(value.uuidString) },
        parse: UUID.init(uuidString:))

    /// Base 64, as `Codable` has it.
    static let data = ValueFormat(
        stored: Data.self, example: "\"aGVsbG8=\"", isEncoded: true,
        isKnown: { StoredData.isKnown }, read: StoredData.rendering(of:bytes:),
        parse: { text in Data(base64Encoded: text) })

    static let decimal = ValueFormat(
        stored: Decimal.self, style: .number, example: "12.50",
        isKnown: { StoredDecimal.isKnown },
        read: { value, _ in
            StoredDecimal.decimal(in: value).map { ValueFormat.Rendering("\($0)") }
        }, parse: decimal(parsing:))

    // MARK: Texts

    static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        // ISO 8601 without an agreement between both ends has the years 1 to 9999.
        guard (-62_135_596_800...253_402_300_799).contains(seconds) else {
            return "@\(seconds)"
        }
        let milliseconds = (seconds * 1000).rounded()
        let whole = milliseconds.truncatingRemainder(dividingBy: 1000) == 0
        return Date(timeIntervalSince1970: milliseconds / 1000).formatted(
            Date.ISO8601FormatStyle(includingFractionalSeconds: !whole))
    }

    private static func date(parsing text: String) -> Date? {
        if text.hasPrefix("@") {
            return Double(text.dropFirst()).map(Date.init(timeIntervalSince1970:))
        }
        for fraction in [false, true] {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: fraction)
            if let date = try? style.parse(text) { return date }
        }
        return try? Date.ISO8601FormatStyle().year().month().day().parse(text)
    }

    private static func decimal(parsing text: String) -> Decimal? {
        // `Decimal(string:)` reads as far as it can; a number is the whole text.
        guard Double(text) != nil, !text.lowercased().contains("x") else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }
}
#endif
