#if TELLTALE_COMPILED
/// The types of Foundation that are decoded from typed values.
///
/// Foundation's `init(from:)`s end the process at parts that don't fit, instead of throwing: an `IndexSet` at a
/// negative length, a `Calendar` at an eighth day of the week, `URLComponents` at a port below 0 (read in
/// swift-foundation and swift-corelibs-foundation 6.3.1). So those that take any value of their parts run, some
/// after a check of ours, and no others. The standard library's throw.
enum CheckedDecoding {
    /// The reason that a value is not given to a type's `init(from:)`; `nil` if it is.
    static func obstacle(_ type: Any.Type, from value: JSONValue) -> String? {
        let name = _typeName(type, qualified: true).prefix { $0 != "<" }
        let module = name.prefix { $0 != "." }
        guard modules.contains(String(module)) else { return nil }
        let own = String(name.dropFirst(module.utf8.count + 1))
        if takesAll.contains(own) { return nil }
        switch own {
        case "IndexSet": return indices(value)
        case "DateInterval": return interval(value)
        case "NSRange", "_NSRange": return range(value)
        case "Decimal": return "write it in quotes: \"12.50\" (with TelltaleFoundation)"
        default:
            return "\(own) can't be typed: Foundation ends the process where its parts don't fit"
        }
    }

    private static let modules: Set<String> = [
        "Foundation", "FoundationEssentials", "FoundationInternationalization",
        "FoundationNetworking", "FoundationXML", "CoreFoundation",
    ]

    /// Any value of their parts is one of theirs, or is thrown for.
    private static let takesAll: Set<String> = [
        "Date", "UUID", "URL", "Data", "IndexPath", "TimeZone", "Locale", "DateComponents",
        "PersonNameComponents", "CGFloat", "CGPoint", "CGSize", "CGRect", "AffineTransform",
        "Measurement",
    ]

    private static func indices(_ value: JSONValue) -> String? {
        let example = "write {\"indexes\": [{\"location\": 1, \"length\": 5}]}"
        guard case .object(let members) = value, members.count == 1, members[0].key == "indexes",
            case .array(let ranges) = members[0].value
        else { return example }
        for range in ranges {
            guard case .object(let parts) = range, parts.count == 2,
                let location = whole("location", of: parts), let length = whole("length", of: parts)
            else { return example }
            if let obstacle = unfit(location, length) { return obstacle }
        }
        return nil
    }

    private static func range(_ value: JSONValue) -> String? {
        guard case .array(let parts) = value, parts.count == 2,
            case .integer(let location) = parts[0], case .integer(let length) = parts[1]
        else { return "write [1, 5]: its location and its length" }
        return unfit(location, length)
    }

    private static func unfit(_ location: Int64, _ length: Int64) -> String? {
        guard location >= 0, length > 0 else {
            return
                "a range has a location from 0 and a length from 1, and not \(location) and \(length)"
        }
        let (end, isTooLarge) = location.addingReportingOverflow(length)
        // The last is Foundation's "not found".
        guard !isTooLarge, end < Int64.max else {
            return "the range from \(location) with \(length) ends behind the greatest index"
        }
        return nil
    }

    private static func interval(_ value: JSONValue) -> String? {
        let example = "write {\"start\": DATE, \"duration\": 3.5}, its duration from 0"
        guard case .object(let members) = value, members.count == 2,
            let duration = members.last(where: { $0.key == "duration" })?.value
        else { return example }
        switch duration {
        case .integer(let seconds): return seconds >= 0 ? nil : example
        case .unsigned: return nil
        case .double(let seconds): return seconds >= 0 && seconds.isFinite ? nil : example
        default: return example
        }
    }

    private static func whole(_ name: String, of members: [JSONMember]) -> Int64? {
        guard case .integer(let number)? = members.last(where: { $0.key == name })?.value else {
            return nil
        }
        return number
    }
}
#endif
