#if TELLTALE_AGENT
import CTelltaleSystem

/// Steps from an object to another one, a value in one or an array's count, which C goes (`memory/route.c`).
struct MemoryRoute {
    enum Form { case signed, unsigned, truth }

    /// The first word of the object that it begins at.
    private let root: UInt
    private var steps: [CTelltaleRouteStep] = []
    var form = Form.signed
    /// How many bytes the value has.
    var size = 0

    /// The most bytes of a value's text.
    static let longestText = Int(CTELLTALE_ROUTE_TEXT)

    init(from type: Any.Type) { root = Self.word(type) }

    private static func word(_ type: Any.Type) -> UInt {
        UInt(bitPattern: TypeMetadata(type).pointer)
    }

    mutating func add(field offset: Int) { add(CTelltaleRouteField, offset: offset) }

    mutating func add(objectOf type: Any.Type) { add(CTelltaleRouteObject, type: Self.word(type)) }

    mutating func add(element index: Int, from first: Int, each stride: Int) {
        add(CTelltaleRouteElement, offset: first, index: index, stride: stride)
    }

    mutating func addCount() { add(CTelltaleRouteCount) }

    private mutating func add(
        _ kind: CTelltaleRouteKind, type: UInt = 0, offset: Int = 0, index: Int = 0,
        stride: Int = 0
    ) {
        steps.append(
            CTelltaleRouteStep(
                kind: kind, type: type, offset: offset, index: index, stride: stride))
    }

    /// Goes them from an object and writes the value there as text, which is so many bytes; 0 where they lead
    /// nowhere now. On the object's owner.
    func read(from object: UInt, into text: UnsafeMutablePointer<CChar>) -> Int {
        steps.withUnsafeBufferPointer { steps in
            guard let first = steps.baseAddress else { return 0 }
            return ctelltale_route_read(object, root, first, steps.count, cForm, size, text)
        }
    }

    /// A place in an object, or an object.
    struct Place: Equatable {
        let address: UInt
        /// The object that was entered last.
        let holder: UInt
    }

    /// Goes them from an object to what stands at their end; nil where they lead nowhere now. On the object's
    /// owner.
    func place(from object: UInt) -> Place? {
        var holder: UInt = 0
        let found = steps.withUnsafeBufferPointer { steps in
            ctelltale_route_place(object, root, steps.baseAddress, steps.count, &holder)
        }
        return found == 0 ? nil : Place(address: found, holder: holder)
    }

    /// Whether what stands at their end is the last object's own: no array's, which others may have as well.
    var endsInObject: Bool {
        let own = steps.reversed().prefix { $0.kind != CTelltaleRouteObject }
        return own.allSatisfy { $0.kind == CTelltaleRouteField }
    }

    private var cForm: CTelltaleRouteForm {
        switch form {
        case .signed: CTelltaleRouteSigned
        case .unsigned: CTelltaleRouteUnsigned
        case .truth: CTelltaleRouteTruth
        }
    }
}
#endif
