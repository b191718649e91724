#if TELLTALE_AGENT
import CTelltaleSystem

/// The numbers of objects by where they stood, in C: an answer of 10,000 objects asks for as many.
///
/// To be used by one thread at a time.
final class PlaceNumbers {
    /// Where an object stood; the path as bytes.
    struct Place {
        var rootName: String
        var path: [UInt8]
        var address: UInt
        var typeName: String
    }

    private let handles: OpaquePointer?

    /// So many are kept; without memory none is given.
    init(capacity: Int) { handles = ctelltale_handles_make(UInt32(clamping: capacity)) }

    deinit {
        if let handles { ctelltale_handles_free(handles) }
    }

    /// What the places take.
    var bytes: Int { handles.map { ctelltale_handles_bytes($0) } ?? 0 }

    /// Forgets those that were used least lately, of so many bytes.
    func forget(bytes: Int) {
        if let handles { ctelltale_handles_forget(handles, bytes) }
    }

    /// The number of a place, from 1; 0 without memory.
    func number(of place: Place) -> Int {
        guard let handles else { return 0 }
        let (root, type) = (Array(place.rootName.utf8), Array(place.typeName.utf8))
        let bytes = root + type + place.path + [0]
        return bytes.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                guard let start = bytes.baseAddress else { return 0 }
                var wanted = CTelltaleHandlePlace(
                    address: place.address, root: start, type: start + root.count,
                    path: start + root.count + type.count, root_size: UInt32(root.count),
                    type_size: UInt32(type.count), path_size: UInt32(place.path.count))
                return Int(ctelltale_handles_number(handles, &wanted))
            }
        }
    }

    /// Gives the objects of a tree their numbers, in their order.
    func number(_ tree: ReadTree, rootName: String) {
        guard let handles else { return }
        var rootName = rootName
        rootName.withUTF8 { root in
            root.withMemoryRebound(to: CChar.self) { root in
                tree.number { tree, plans in
                    ctelltale_tree_number(&tree, plans, handles, root.baseAddress, root.count)
                }
            }
        }
    }

    /// Where the object of a number stood; nil if there was never such a number, or it has been dropped.
    func place(of number: Int) -> Place? {
        var place = CTelltaleHandlePlace()
        guard let handles, ctelltale_handles_place(handles, Int64(number), &place) else {
            return nil
        }
        func bytes(_ start: UnsafePointer<CChar>?, _ size: UInt32) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(start: start, count: Int(size))
        }
        return Place(
            rootName: String(decoding: bytes(place.root, place.root_size), as: UTF8.self),
            path: Array(bytes(place.path, place.path_size)), address: place.address,
            typeName: String(decoding: bytes(place.type, place.type_size), as: UTF8.self))
    }
}
#endif
