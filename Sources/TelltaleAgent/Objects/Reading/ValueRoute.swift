#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The way from an object to another one, a value in one or an array's count, as the types on it decide it: what
/// they are, where their properties stand, that nothing of it is masked. What the values decide (which object stands
/// there, of which class, how many elements there are) is looked at each time that it is gone.
///
/// It leads through stored properties of classes and structs and through elements of arrays. What it does not
/// know, it does not lead to: that is read as ever.
struct ValueRoute {
    private var route: MemoryRoute
    /// What was known of types when it was made.
    private let types: Int

    /// The most bytes of a value's text.
    static let longestText = MemoryRoute.longestText

    /// The class of what stands at its end; nil of a value.
    private(set) var end: Any.Type?

    /// Finds the way along a path, to an object or to what is read as text. On the owner of the object; nil where
    /// it is none of these.
    init?(from object: UInt, along path: [ValuePath.Component], in session: ReadSession) {
        var stop: Stop?
        self.init(object, path, session, &stop)
        guard var stop else { return nil }
        if let known = Self.forms[ObjectIdentifier(stop.type)] {
            guard ValueFormats.format(for: stop.type) == nil else { return nil }
            (route.form, route.size) = known
            return
        }
        if !stop.isObject, case .object = TypeShape.of(stop.type),
            let object = self.object(at: stop)
        {
            stop = object
        }
        guard stop.isObject, !session.isSecret(stop.type), StandIn.of(stop.type) == nil else {
            return nil
        }
        end = stop.type
    }

    /// Finds the way along a path to a value of `type` that is an object's own. On the owner of the object; nil
    /// where it is none.
    init?(
        from object: UInt, along path: [ValuePath.Component], to type: Any.Type,
        in session: ReadSession
    ) {
        var stop: Stop?
        self.init(object, path, session, &stop)
        guard let stop, !stop.isObject, stop.type == type, route.endsInObject else { return nil }
    }

    private init?(
        _ object: UInt, _ path: [ValuePath.Component], _ session: ReadSession, _ end: inout Stop?
    ) {
        types = TypeImages.generation
        guard path.count <= ValuePath.maximumComponents, MetadataLayout.current.has(.types),
            let type = MetadataCheck.classOfObject(at: object, in: .process),
            !session.masks.masks(root: session.rootName, of: type)
        else { return nil }
        route = MemoryRoute(from: type)
        var place = Stop(address: object, type: type, isObject: true)
        for (index, component) in path.enumerated() {
            let isLast = index == path.count - 1
            guard let next = step(from: place, to: component, isLast, session) else { return nil }
            place = next
        }
        guard !session.isSecret(place.type) else { return nil }
        end = place
    }

    /// Goes it from an object to what stands at its end; nil where it leads nowhere now. On the owner.
    func place(from object: UInt) -> MemoryRoute.Place? {
        types == TypeImages.generation ? route.place(from: object) : nil
    }

    /// Goes it from an object and writes the value there as text, which is so many bytes; 0 where it leads
    /// nowhere now. On the owner.
    func read(from object: UInt, into text: UnsafeMutablePointer<CChar>) -> Int {
        types == TypeImages.generation ? route.read(from: object, into: text) : 0
    }

    // MARK: Finding it

    /// Where it has come to: an object, or a value in one.
    private struct Stop {
        let address: UInt
        let type: Any.Type
        let isObject: Bool
    }

    private static let forms: [ObjectIdentifier: (MemoryRoute.Form, Int)] = [
        ObjectIdentifier(Int.self): (.signed, 8),
        ObjectIdentifier(Int64.self): (.signed, 8),
        ObjectIdentifier(Int32.self): (.signed, 4),
        ObjectIdentifier(Int16.self): (.signed, 2),
        ObjectIdentifier(Int8.self): (.signed, 1),
        ObjectIdentifier(UInt.self): (.unsigned, 8),
        ObjectIdentifier(UInt64.self): (.unsigned, 8),
        ObjectIdentifier(UInt32.self): (.unsigned, 4),
        ObjectIdentifier(UInt16.self): (.unsigned, 2),
        ObjectIdentifier(UInt8.self): (.unsigned, 1),
        ObjectIdentifier(Bool.self): (.truth, 1),
    ]

    private mutating func step(
        from place: Stop, to component: ValuePath.Component, _ isLast: Bool, _ session: ReadSession
    ) -> Stop? {
        guard !session.isSecret(place.type), StandIn.of(place.type) == nil else { return nil }
        if place.isObject { return member(component, of: place, session) }
        switch TypeShape.of(place.type) {
        case .object: return object(at: place).flatMap { member(component, of: $0, session) }
        case .structure: return member(component, of: place, session)
        case .array(let element): return part(component, of: place, element, isLast)
        default: return nil
        }
    }

    private mutating func object(at place: Stop) -> Stop? {
        guard let address = GuardedReading.load(UInt.self, at: place.address),
            let type = MetadataCheck.classOfObject(at: address, in: .process)
        else { return nil }
        route.add(objectOf: type)
        return Stop(address: address, type: type, isObject: true)
    }

    private mutating func member(
        _ component: ValuePath.Component, of place: Stop, _ session: ReadSession
    ) -> Stop? {
        guard case .property(let name) = component, !session.isSecret(place.type),
            StandIn.of(place.type) == nil,
            let planned = PathWalk.find(name, in: session.plan(of: place.type)),
            // One that another value may name is masked by that value.
            !planned.isMasked, planned.namedBy == nil
        else { return nil }
        let field = planned.field
        guard !session.isSecret(field.type), field.ownership == .strong, !field.isNoncopyable,
            !field.isLazy, field.offset >= 0
        else { return nil }
        route.add(field: field.offset)
        return Stop(
            address: place.address &+ UInt(bitPattern: field.offset), type: field.type,
            isObject: false)
    }

    private mutating func part(
        _ component: ValuePath.Component, of place: Stop, _ element: Any.Type, _ isLast: Bool
    ) -> Stop? {
        guard MetadataLayout.current.has(.collections) else { return nil }
        switch component {
        case .property("count") where isLast:
            route.addCount()
            return Stop(address: 0, type: Int.self, isObject: false)
        case .index(let index) where index >= 0:
            guard let array = GuardedReading.load(UInt.self, at: place.address) else { return nil }
            let metadata = TypeMetadata(element)
            let first = metadata.offset(behind: 32)
            route.add(element: index, from: Int(first), each: metadata.stride)
            let distance = UInt(bitPattern: index &* metadata.stride)
            return Stop(address: array &+ first &+ distance, type: element, isObject: false)
        default: return nil
        }
    }
}
#endif
