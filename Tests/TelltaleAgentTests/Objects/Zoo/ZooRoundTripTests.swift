#if TELLTALE_AGENT
import Foundation
import TelltaleFoundation
import TelltaleProtocol
import TelltaleSystem
import TelltaleZoo
import TelltaleZooOptimised
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

/// Every property of the zoo, printed as `get` does and made again of that text.
@Suite("What is printed is accepted back") struct ZooRoundTripTests {
    @Test("for every kind, debug and optimised", arguments: TelltaleZoo.Zoo.kinds.map(\.name))
    func kinds(_ name: String) throws {
        Telltale.useFoundation()
        let debug = try #require(TelltaleZoo.Zoo.kinds.first { $0.name == name }).make()
        let fast = TelltaleZooOptimised.Zoo.kinds.first { $0.name == name }
        let optimised = try #require(fast).make()
        for (build, object) in [("debug", debug), ("optimised", optimised)] {
            for (field, failure) in Self.failures(of: object) {
                #expect(
                    Self.exceptions.contains("\(name).\(field)"),
                    "\(build): \(name).\(field): \(failure)")
            }
        }
    }

    /// The kinds that can't be typed: they have no possible values, hold a function or another
    /// object, or their parts have to fit each other.
    private static let exceptions = Set(
        [
            "collections":
                "difference index joined literal none one pairs repeated reversed stride "
                // It is shown as `nil`, which is the outer one.
                + "twice zipped",
            "concurrency": "continuation ended newest stream throwing throwingContinuation",
            "dispatch": "quality time",
            // Declared as an existential, where nothing stands now that says which type is meant.
            "existentials": "byName failure hashable",
            "foundation": "array digits fraction indexPath indices length letters longPath "
                + "mutableArray mutableDictionary mutableString noIndices noParts nsData nsDate "
                + "number parts range ranges set speed string truth",
            "library": "clock decoding identifier iterator random",
            "system": "buffer opaque pointer typed",
        ].flatMap { kind, names in names.split(separator: " ").map { "\(kind).\($0)" } })

    private static func failures(of object: AnyObject) -> [(field: String, why: String)] {
        let address = Unmanaged.passUnretained(object).toOpaque()
        var failures: [(String, String)] = []
        for field in FieldCache.fields(of: type(of: object)) {
            guard field.ownership == .strong, !field.isNoncopyable,
                !ChangedType.holdsFunction(field.type)
            else { continue }
            let value = TypedMemory.load(field.type, at: address + field.offset)
            do {
                let node = try ValueReader.usual().read(.value(value), rootName: "x", path: [])
                guard isValue(node) else { continue }
                let literal = try TypedLiteral(parsing: node.plainText).literal
                let making = LiteralValue(subject: "x", isMasked: false, masks: .none)
                let made = try making.make(literal, as: field.type, current: value)
                let comparison = ValueComparison(limits: ReadLimits(deadline: .distantFuture))
                // Two URLs are the same whose objects are others.
                let shown = try ValueReader.usual().read(
                    .value(made as Any), rootName: "x", path: [])
                let isSameURL = made is URL && shown.plainText == node.plainText
                let isSame = try comparison.areSame(value, made)
                if !isSame, !isSameURL {
                    failures.append((field.shownName, "\(node.plainText) is \(made)"))
                }
            } catch {
                failures.append((field.shownName, "\(error)"))
            }
        }
        return failures
    }

    /// Returns whether a value has no identity and no hidden part: no object, no secret, and
    /// nothing opaque.
    private static func isValue(_ node: ValueNode) -> Bool {
        switch node.kind {
        case .object, .reference, .masked, .opaque, .unavailable: false
        default: node.cut == nil && node.children.allSatisfy(isValue)
        }
    }
}
#endif
