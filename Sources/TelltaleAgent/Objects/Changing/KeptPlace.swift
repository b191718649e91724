#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// A value in an object that was changed before, with the way to it as the types on it decide it: the path is not
/// read again, nor which properties it names, whether they may be set and have code around them, what is masked.
///
/// It was found by the walk that every change makes, and the way led to the same place. Where a class or a bound
/// on it isn't as it was, it leads nowhere, and the change is made as one that was never made before.
final class KeptPlace: Keepable, @unchecked Sendable {  // nothing of it changes
    let target: PathReading.Target
    let type: Any.Type
    /// The path as the walk writes it.
    let rendered: String
    private let route: ValueRoute
    /// How often names had been registered or taken back.
    private let names: Int

    /// What a walk came to.
    struct Seen {
        fileprivate let place: MemoryRoute.Place
        fileprivate let type: Any.Type

        /// Notes it; nil where more is to be said or held than where it stands.
        init?(_ place: StoredWalk.Place, on walk: StoredWalk) {
            guard case .value(let address, let type) = place, walk.note == nil, walk.lock == nil,
                !walk.isMasked
            else { return nil }
            self.place = MemoryRoute.Place(
                address: UInt(bitPattern: address), holder: walk.object)
            self.type = type
        }
    }

    /// Keeps where a walk from an object has led, on its owner; nil where no way is known that leads there.
    init?(
        _ target: PathReading.Target, _ seen: Seen, from root: AnyObject, names: Int,
        in session: ReadSession
    ) {
        // Behind an actor it matters which one it is.
        guard target.expected == nil, !(root is any Actor) else { return nil }
        let root = UInt(bitPattern: Unmanaged.passUnretained(root).toOpaque())
        guard
            let route = ValueRoute(from: root, along: target.path, to: seen.type, in: session),
            route.place(from: root) == seen.place
        else { return nil }
        self.target = target
        type = seen.type
        rendered = ValuePath(root: .name(target.entry.name), components: target.path).description
        self.route = route
        self.names = names
    }

    /// Where it stands now, and the object that it stands in; nil where the way leads nowhere. On the owner.
    func place(from root: AnyObject) -> (address: UnsafeMutableRawPointer, holder: AnyObject)? {
        let root = UInt(bitPattern: Unmanaged.passUnretained(root).toOpaque())
        guard let place = route.place(from: root),
            let address = UnsafeMutableRawPointer(bitPattern: place.address),
            let holder = UnsafeRawPointer(bitPattern: place.holder)
        else { return nil }
        return (address, Unmanaged<AnyObject>.fromOpaque(holder).takeUnretainedValue())
    }

    func isOver(names: Int) -> Bool { names != self.names || target.entry.isGone }
}
#endif
