#if TELLTALE_AGENT
package import TelltalePicture
package import TelltaleSystem

/// SwiftNIO's pools of threads for calls that block, with the number of items in their line.
///
/// A pool is found by its class on the stacks of its threads, and its line by the name of its property. Checked
/// against SwiftNIO 2.100 (`NIOThreadPool.swift`) and the deque of swift-collections 1.3. If a name differs,
/// nothing is reported.
package enum NIOThreadPools {
    private static let className = ".NIOThreadPool"
    /// The function of its threads is private: its name may have the file's between the two.
    private static let worker = ["NIOThreadPool.", "process"]
    private static let line = "_state"
    /// The maximum number of threads whose stacks are searched.
    private static let mostThreads = 256

    /// Reads the pools whose threads are among those of a picture.
    ///
    /// - Parameters:
    ///   - threads: The threads, with their stacks.
    ///   - deadline: The deadline of the search.
    /// - Returns: The pools whose line could be read.
    package static func read(
        _ threads: [ThreadFacts], until deadline: MonotonicTime
    ) -> [PackagePool] {
        let workers = threads.filter { thread in
            thread.stack.contains { frame in
                worker.allSatisfy { frame.function?.holds($0) == true }
            }
        }
        guard !workers.isEmpty, MetadataLayout.known(by: deadline).has(.types) else { return [] }
        var pools: [UInt: PackagePool] = [:]
        for thread in workers.prefix(mostThreads) {
            guard let stack = thread.liveStack,
                let object = StackObjects.outermost(
                    ofClass: className, on: stack, until: deadline)
            else { continue }
            if pools[object] == nil, let waiting = waiting(in: object) {
                pools[object] = PackagePool(
                    address: object, name: "NIOThreadPool", threads: [], waiting: waiting)
            }
            pools[object]?.threads.append(thread.id)
        }
        return pools.values.sorted { $0.address < $1.address }
    }

    private static func waiting(in object: UInt) -> Int? {
        guard let type = MetadataCheck.classOfObject(at: object, in: .process),
            let field = FieldCache.fields(of: type).first(where: { $0.name == line }),
            let word = GuardedMemory.load(UInt.self, at: object &+ UInt(field.offset))
        else { return nil }
        // The case of the enum is in bits that no reference uses.
        return NIOTasks.countOfRing(at: word & 0x00FF_FFFF_FFFF_FFF8)
    }
}
#endif
