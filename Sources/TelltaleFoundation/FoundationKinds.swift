#if TELLTALE_AGENT
import Foundation
import TelltaleAgent
import TelltaleProtocol

/// Foundation's values whose stored properties tell a person nothing, and its collections, of which the
/// elements do. Each reads what it shows; none of them is typed.
enum FoundationKinds {
    static let all: [ValueFormat] =
        collections + measurements + [
            indices, characters, parts, number, boolean, decimalNumber, string, mutableString, date,
            data,
            mutableData,
        ]

    private static let collections: [ValueFormat] = [
        ValueFormat(NSArray.self, standsFor: "_storage"),
        ValueFormat(NSMutableArray.self, standsFor: "_storage"),
        ValueFormat(NSDictionary.self, standsFor: "_storage"),
        ValueFormat(NSMutableDictionary.self, standsFor: "_storage"),
        ValueFormat(NSSet.self, standsFor: "_storage"),
        ValueFormat(NSMutableSet.self, standsFor: "_storage"),
    ]

    private static func shown<Value>(
        _ type: Value.Type, style: ValueFormat.Style = .number,
        isKnown: @escaping @Sendable () -> Bool = { true },
        read: @escaping @Sendable (StoredValue, Int) -> ValueFormat.Rendering?
    ) -> ValueFormat {
        ValueFormat(
            stored: type, style: style, example: "", isKnown: isKnown, read: read,
            parse: { _ in nil })
    }

    // MARK: Measurements

    /// `3.5 m`: the unit's symbol is a property of the unit.
    private static let measurements: [ValueFormat] = [
        measurement(Unit.self), measurement(Dimension.self), measurement(UnitAcceleration.self),
        measurement(UnitAngle.self), measurement(UnitArea.self),
        measurement(UnitConcentrationMass.self), measurement(UnitDispersion.self),
        measurement(UnitDuration.self), measurement(UnitElectricCharge.self),
        measurement(UnitElectricCurrent.self), measurement(UnitElectricPotentialDifference.self),
        measurement(UnitElectricResistance.self), measurement(UnitEnergy.self),
        measurement(UnitFrequency.self), measurement(UnitFuelEfficiency.self),
        measurement(UnitIlluminance.self), measurement(UnitInformationStorage.self),
        measurement(UnitLength.self), measurement(UnitMass.self), measurement(UnitPower.self),
        measurement(UnitPressure.self), measurement(UnitSpeed.self),
        measurement(UnitTemperature.self), measurement(UnitVolume.self),
    ]

    private static func measurement<Kind: Unit>(_ unit: Kind.Type) -> ValueFormat {
        shown(Measurement<Kind>.self) { value, limit in
            guard let amount = value.property("value")?.load(Double.self),
                let symbol = value.property("unit")?.property("symbol")?.string(limit: limit)
            else { return nil }
            return ValueFormat.Rendering("\(amount) \(symbol.text)")
        }
    }

    // MARK: Sets of numbers and characters

    private static let indices = shown(
        IndexSet.self, isKnown: { StoredSets.areIndicesKnown },
        read: { value, limit in StoredSets.indices(value, bytes: limit) })

    private static let characters = shown(
        CharacterSet.self, isKnown: { StoredSets.areCharactersKnown },
        read: { value, limit in StoredSets.characters(value, bytes: limit) })

    // MARK: Dates

    /// Those that are set, by their names.
    private static let parts = shown(DateComponents.self) { value, _ in
        let names = [
            "era", "year", "month", "day", "dayOfYear", "hour", "minute", "second", "nanosecond",
            "weekday", "weekdayOrdinal", "quarter", "week", "weekOfMonth", "weekOfYear",
            "yearForWeekOfYear",
        ]
        var words: [String] = []
        for name in names {
            guard let part = value.property("_\(name)")?.wrapped else { return nil }
            guard let part else { continue }
            guard let number = part.load(Int.self) else { return nil }
            words.append("\(name) \(number)")
        }
        var notes: [String] = []
        for (name, text) in [("_calendar", "with a calendar"), ("_timeZone", "with a time zone")] {
            guard let part = value.property(name)?.wrapped, part != nil else { continue }
            notes.append(text)
        }
        return ValueFormat.Rendering(
            words.isEmpty ? "nothing is set" : words.joined(separator: ", "),
            note: notes.isEmpty ? nil : notes.joined(separator: ", "))
    }

    private static let date = shown(NSDate.self, style: .quoted) { value, limit in
        guard let seconds = value.property("_timeIntervalSinceReferenceDate")?.load(Double.self)
        else { return nil }
        return ValueFormat.Rendering(
            FoundationFormats.text(of: Date(timeIntervalSinceReferenceDate: seconds)))
    }

    private static let data = bytes(NSData.self)
    private static let mutableData = bytes(NSMutableData.self)

    private static func bytes<Value>(_ type: Value.Type) -> ValueFormat {
        shown(type, style: .quoted) { value, limit in
            guard let count = value.property("_length")?.load(Int.self), count >= 0,
                let start = value.property("_bytes")?.load(UInt.self)
            else { return nil }
            let length = min(count, max(0, limit / 4 * 3))
            guard let part = length == 0 ? [] : value.bytes(at: start, count: length) else {
                return nil
            }
            let amount = Quantity.count(count, "byte", "bytes")
            return ValueFormat.Rendering(
                Data(part).base64EncodedString(),
                note: length < count
                    ? "\(amount), the first \(Quantity.count(length)) shown" : amount)
        }
    }

    // MARK: Texts and numbers

    private static let string = text(NSString.self)
    private static let mutableString = text(NSMutableString.self)

    private static func text<Value>(_ type: Value.Type) -> ValueFormat {
        shown(type, style: .quoted) { value, limit in
            guard let text = value.property("_storage")?.string(limit: limit) else { return nil }
            let shown = text.text.utf8.count
            return ValueFormat.Rendering(
                text.text,
                note: shown < text.byteCount
                    ? "\(Quantity.count(text.byteCount)) bytes, the first \(Quantity.count(shown)) shown"
                    : nil)
        }
    }

    private static let number = shown(
        NSNumber.self, isKnown: { StoredNumber.isKnown },
        read: { value, _ in StoredNumber.text(of: value).map { ValueFormat.Rendering($0) } })

    private static let boolean = ValueFormat(
        storedClass: Swift.type(of: NSNumber(value: true)), style: .number,
        read: { value, _ in
            guard let word = value.load(UInt.self) else { return nil }
            return ValueFormat.Rendering(word == StoredNumber.trueObject ? "true" : "false")
        })

    private static let decimalNumber = shown(NSDecimalNumber.self) { value, _ in
        value.property("decimal").flatMap(StoredDecimal.decimal(in:)).map {
            ValueFormat.Rendering("\($0)")
        }
    }
}

/// Reads an `NSNumber` where it stands: behind a word of the C library's with its type, the number.
///
/// Checked against swift-corelibs-foundation 6.3.1 (`CFNumber.c`), and tried once on samples.
enum StoredNumber {
    private static let kindMask: UInt32 = 0x1F

    static let isKnown: Bool = {
        let samples: [(NSNumber, String)] = [
            (42, "42"), (-1, "-1"), (NSNumber(value: 1.25), "1.25"), (NSNumber(value: 0.1), "0.1"),
            (NSNumber(value: Int64.max), "\(Int64.max)"), (NSNumber(value: 1e300), "1e+300"),
            (NSNumber(value: UInt8(200)), "200"),
        ]
        return samples.allSatisfy { sample, expected in
            StoredValue.reading(sample) { text(of: $0) } == expected
        }
    }()

    static let trueObject = UInt(
        bitPattern: Unmanaged.passUnretained(NSNumber(value: true)).toOpaque())

    static func text(of value: StoredValue) -> String? {
        guard let kind = value.property("_base")?.load(UInt32.self),
            let number = value.property("_pad")
        else { return nil }
        switch kind & kindMask {
        case 1...4: return number.load(Int64.self).map { "\($0)" }
        case 5, 6: return number.load(Double.self).map { "\($0)" }
        default: return nil
        }
    }
}

/// Reads sets of indices and of characters where they stand.
///
/// Checked against swift-corelibs-foundation 6.3.1 (`NSIndexSet.swift`, `CFCharacterSet.c`), and tried once
/// on samples.
enum StoredSets {
    /// More ranges or characters than this are not shown.
    private static let most = 64

    static let areIndicesKnown: Bool = {
        let samples: [(IndexSet, String)] = [
            ([1, 2, 3, 7], "1...3, 7"), (IndexSet(), "none"),
            (IndexSet(integersIn: 5..<500), "5...499"),
        ]
        return samples.allSatisfy { sample, expected in
            StoredValue.reading(sample) { indices($0, bytes: 1024) }?.text == expected
        }
    }()

    static func indices(_ value: StoredValue, bytes: Int) -> ValueFormat.Rendering? {
        guard
            let set = value.property("_handle")?.property("_pointer")?.enumeration?.payload,
            let count = set.property("_count")?.load(Int.self),
            let ranges = set.property("_ranges")?.elements(most: most)
        else { return nil }
        var words: [String] = []
        for range in ranges.parts {
            guard let start = range.load(Int.self), let length = range.load(Int.self, at: 8),
                length > 0
            else { return nil }
            words.append(length == 1 ? "\(start)" : "\(start)...\(start &+ length &- 1)")
        }
        if ranges.parts.count < ranges.count { words.append("…") }
        return ValueFormat.Rendering(
            words.isEmpty ? "none" : words.joined(separator: ", "),
            note: Quantity.count(count, "index", "indices"))
    }

    private static let builtIn = [
        1: "control characters", 2: "whitespaces", 3: "whitespaces and newlines",
        4: "decimal digits", 5: "letters", 6: "lowercase letters", 7: "uppercase letters",
        8: "non-base characters", 9: "decomposables", 10: "alphanumerics", 11: "punctuation",
        12: "illegal characters", 13: "capitalized letters", 14: "symbols", 15: "newlines",
    ]

    static let areCharactersKnown: Bool = {
        let samples: [(CharacterSet, String)] = [
            (.decimalDigits, "decimal digits"), (.newlines, "newlines"), (.letters, "letters"),
            (CharacterSet(charactersIn: "-ab"), "\"-ab\""),
            (CharacterSet(charactersIn: "a"..."f"), "\"a\"...\"f\""),
        ]
        return samples.allSatisfy { sample, expected in
            StoredValue.reading(sample) { characters($0, bytes: 1024) }?.text == expected
        }
    }()

    static func characters(_ value: StoredValue, bytes: Int) -> ValueFormat.Rendering? {
        guard let set = value.property("_wrapped"),
            let info = set.property("_base")?.load(UInt32.self),
            let word = set.property("_buffer")?.load(UInt.self),
            let length = set.property("_length")?.load(Int.self)
        else { return nil }
        let text: String
        switch info & 0x70 {
        case 0x00:
            guard let name = builtIn[Int(clamping: word)] else { return nil }
            text = name
        case 0x10:
            guard let range = range(from: word, length) else { return nil }
            text = range
        case 0x20:
            guard let string = string(value, at: word, length) else { return nil }
            text = string
        default: text = "a set of many"
        }
        return ValueFormat.Rendering(info & 0x08 == 0 ? text : "all but \(text)")
    }

    private static func range(from first: UInt, _ length: Int) -> String? {
        guard length > 0, let low = UInt32(exactly: first), let count = UInt32(exactly: length),
            let start = UnicodeScalar(low), let end = UnicodeScalar(low &+ count &- 1)
        else { return nil }
        return "\(Literal.quoted(String(start)))...\(Literal.quoted(String(end)))"
    }

    private static func string(_ value: StoredValue, at address: UInt, _ length: Int) -> String? {
        guard length >= 0, length < 1 << 20 else { return nil }
        let shown = min(length, most)
        guard let bytes = value.bytes(at: address, count: shown * 2) else { return nil }
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map {
            UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
        }
        return Literal.quoted(String(decoding: units, as: UTF16.self))
            + (shown < length ? "…" : "")
    }
}
#endif
