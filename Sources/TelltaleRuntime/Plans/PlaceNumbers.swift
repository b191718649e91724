#if TELLTALE_AGENT
import CTelltaleSystem

/// The table of objects' handle numbers by location, in C: an answer with 10,000 objects requests as many
/// numbers.
///
/// For use by one thread at a time.
package final class PlaceNumbers {
    /// The location at which an object was found; the path as bytes.
    package struct Place {
        package var rootName: String
        package var path: [UInt8]
        package var address: UInt
        package var typeName: String

        package init(rootName: String, path: [UInt8], address: UInt, typeName: String) {
            self.rootName = rootName
            self.path = path
            self.address = address
            self.typeName = typeName
        }
    }

    private let handles: OpaquePointer?

    /// The maximum number of entries is `capacity`. If there is no memory, no numbers are assigned.
    package init(capacity: Int) { handles = ctelltale_handles_make(UInt32(clamping: capacity)) }

    deinit {
        if let handles { ctelltale_handles_free(handles) }
    }

    /// The memory that the entries take.
    package var bytes: Int { handles.map { ctelltale_handles_bytes($0) } ?? 0 }

    /// Removes the least recently used entries, to release `bytes` bytes.
    package func forget(bytes: Int) {
        if let handles { ctelltale_handles_forget(handles, bytes) }
    }

    /// The number of a location, from 1; 0 if there is no memory.
    package func number(of place: Place) -> Int {
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

    /// Assigns numbers to the objects of a tree, in their order.
    package func number(_ tree: ReadTree, rootName: String) {
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

    /// The location of the object with a number; nil if the number was never assigned, or was removed.
    package func place(of number: Int) -> Place? {
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
