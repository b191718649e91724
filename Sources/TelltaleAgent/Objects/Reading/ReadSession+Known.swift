#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem
import TelltaleValues

/// The objects that have a number before a read meets them: registered ones, and those on the path to the value.
///
/// Not thread-safe: it belongs to one read.
final class KnownObjects {
    private struct Place {
        let rootName: String
        let path: [ValuePath.Component]
        var typeName: String?
    }

    /// By the complements of the addresses, since a search for retainers would find the plain words.
    private var places: [UInt: Place] = [:]
    private var isFilled = false

    /// Records an object on the path to the value.
    func pass(_ address: UInt, _ type: Any.Type, _ rootName: String, _ path: [ValuePath.Component])
    {
        guard places[~address] == nil else { return }
        places[~address] = Place(rootName: rootName, path: path, typeName: TypeNames.name(of: type))
    }

    /// Returns an object's number and note; `nil` for an object that is not known.
    func known(_ address: UInt, in handles: HandleTable) -> KnownObject? {
        if !isFilled {
            isFilled = true
            for (name, registered) in handles.registered() {
                places[~registered] = Place(rootName: name, path: [])
            }
        }
        guard let place = places[~address] else { return nil }
        let note = place.typeName == nil ? "registered as \(place.rootName)" : nil
        // An object that was found in memory has its number as its name.
        if place.path.isEmpty, case .handle(let handle) = ValuePath.Root(named: place.rootName) {
            return KnownObject(handle: handle, note: note)
        }
        guard
            let typeName = place.typeName
                ?? MetadataCheck.classOfObject(at: address, in: .process).map({
                    TypeNames.name(of: $0)
                })
        else { return nil }
        let handle = handles.handle(
            rootName: place.rootName, path: place.path, address: address, typeName: typeName)
        return handle == 0 ? nil : KnownObject(handle: handle, note: note)
    }
}

extension ReadSession {
    /// Records an object that the path leads through.
    func passes(_ address: UInt, _ type: Any.Type) {
        guard givesHandles, path.count <= ValuePath.maximumComponents else { return }
        knownObjects.pass(address, type, rootName, path)
    }

    /// Returns the number of an object that is registered or on the path to the value; `nil` for others.
    func known(object address: UInt) -> KnownObject? {
        handles.flatMap { knownObjects.known(address, in: $0) }
    }
}
#endif
