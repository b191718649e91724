#if TELLTALE_AGENT
import CTelltaleSystem
package import TelltaleSystem

/// The references between objects in this process's memory, as far as it has been searched.
///
/// For use by one thread. Its memory comes from the kernel, and is returned when this object is destroyed.
package final class HolderGraph {
    /// The kind of a node. The kind of object in a block is determined by its first word.
    package enum Kind { case block, thread, global, unknown, event }

    package struct Edge {
        package var holder: Int
        package var held: Int
        /// The offset of the reference in the holder.
        package var offset: UInt
    }

    private let search: OpaquePointer
    package private(set) var count = 0
    package private(set) var edgeCount = 0
    /// The reason why the search or its result is incomplete.
    package private(set) var gap: String?
    private(set) var bytes: UInt64 = 0
    private(set) var blocks: UInt64 = 0

    /// nil if there is no memory for it.
    package init?(_ layout: HeapLayout, until deadline: MonotonicTime) {
        guard MemoryRoom.isEnough else { return nil }
        let made = withUnsafePointer(to: layout.numbers) {
            ctelltale_holders_make($0, deadline.nanoseconds)
        }
        guard let made else { return nil }
        search = made
    }

    deinit { ctelltale_holders_free(search) }

    // MARK: Input

    /// Registers a stack, and whether words on it count as holders.
    package func add(_ stack: LiveStacks.Stack, isHolder: Bool) {
        let isTold = ctelltale_holders_stack(
            search, stack.thread, stack.pointer ?? 0, stack.threadPointer, isHolder)
        if !isTold { gap = "there are more threads than are looked at" }
    }

    /// Registers the images, which contain the global variables.
    package func add(_ images: LoadedImages) {
        for image in images.all where !ctelltale_holders_image(search, image.low, image.high) {
            gap = "more images are loaded than are looked at"
        }
    }

    /// Registers the pointer that the kernel holds for an epoll's member.
    package func add(_ event: KernelRoots.Event) {
        let isTold = ctelltale_holders_event(
            search, event.epoll, event.descriptor, UInt(truncatingIfNeeded: event.data))
        if !isTold { gap = "epolls watch more descriptors than are looked at" }
    }

    /// Requests a search for the holders of an object: words that point to its first `reach` bytes.
    ///
    /// - Returns: The node of the object; nil if the graph is full.
    package func target(_ address: UInt, reach: Int) -> Int? {
        let node = ctelltale_holders_target(search, address, reach)
        update()
        return node == .max ? nil : Int(node)
    }

    package func locate(_ address: UInt) -> (kind: Kind, start: UInt, size: Int) {
        var node = CTelltaleHolderNode()
        _ = DescriptorReserve.shared.makingRoom(for: 2) {
            ctelltale_holders_locate(search, address, &node)
        }
        return (Self.kind(node.kind), node.start, node.size)
    }

    // MARK: Searching

    /// Searches all memory once for words that refer to the wanted nodes.
    ///
    /// - Returns: False if the search was incomplete.
    package func searchOnce() -> Bool {
        // One reading per level, so that the host's signal handlers are checked again from time to time:
        // the first words of the holders found are read one by one.
        let level = DescriptorReserve.shared.makingRoom(for: 2) {
            NativeThread.givingCore {
                GuardedReading.during { ctelltale_holders_level(search) }
            }
        }
        bytes = level.bytes
        blocks = level.blocks
        update()
        if level.error != 0 {
            gap = "the process's memory can't be searched (error \(level.error))"
        } else if level.is_late {
            gap = "the search for holders ended at its deadline"
        } else if level.is_full {
            gap = "there are more holders than are kept"
        } else if level.is_torn {
            gap = "a part of the heap changed while it was walked"
        }
        return level.error == 0 && !level.is_late && !level.is_full
    }

    private func update() {
        ctelltale_holders_nodes(search, &count)
        ctelltale_holders_edges(search, &edgeCount)
    }

    // MARK: Results

    private var nodes: UnsafeMutablePointer<CTelltaleHolderNode> {
        var count = 0
        return ctelltale_holders_nodes(search, &count)
    }

    package func kind(_ node: Int) -> Kind { Self.kind(nodes[node].kind) }

    private static func kind(_ kind: CTelltaleHolderKind) -> Kind {
        switch kind {
        case CTelltaleHolderThread: .thread
        case CTelltaleHolderGlobal: .global
        case CTelltaleHolderUnknown: .unknown
        case CTelltaleHolderEvent: .event
        default: .block
        }
    }

    /// The node's start address; a thread's id; for an event, its epoll and its descriptor, 32 bits each.
    package func start(_ node: Int) -> UInt { nodes[node].start }
    package func size(_ node: Int) -> Int { nodes[node].size }
    /// The first word of a block.
    package func word(_ node: Int) -> UInt { nodes[node].word }
    package func isSearched(_ node: Int) -> Bool { nodes[node].state == CTelltaleHolderSearched }

    /// Requests a search for the holders of a node by the next search, unless that was done already.
    package func want(_ node: Int) {
        if !isSearched(node) { nodes[node].state = CTelltaleHolderWanted }
    }

    package func edge(_ index: Int) -> Edge {
        var count = 0
        let edge = ctelltale_holders_edges(search, &count)[index]
        return Edge(holder: Int(edge.holder), held: Int(edge.held), offset: UInt(edge.offset))
    }
}
#endif
