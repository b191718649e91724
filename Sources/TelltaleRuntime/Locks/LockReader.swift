#if TELLTALE_AGENT
import CTelltaleSystem
package import TelltalePicture

/// Reads the owner of a C library lock from the words that the library's own functions write. Never returns
/// a number that can't be a thread's id.
package struct LockReader: Sendable {
    /// Reads a word of this process's memory; nil if it can't be read.
    let word: @Sendable (UInt) -> UInt64?
    let layout: LockLayout
    /// The ids of the process's threads, and the thread of each thread pointer.
    let threads: Set<Int32>
    let threadPointers: [UInt: Int32]

    package init(
        word: @escaping @Sendable (UInt) -> UInt64?, layout: LockLayout, _ threads: [ThreadFacts]
    ) {
        self.word = word
        self.layout = layout
        self.threads = Set(threads.map(\.id))
        threadPointers = Dictionary(
            threads.compactMap { thread in thread.threadPointer.map { ($0, thread.id) } }
        ) { first, _ in first }
    }

    private func half(_ address: UInt) -> UInt32? {
        word(address).map { UInt32(truncatingIfNeeded: $0) }
    }

    // MARK: Mutexes

    /// The maximum number of threads that use one mutex at a time, including those that wait on its
    /// condition.
    private static let mostUsers: UInt32 = 16_384

    /// The wait of a thread that sleeps on a mutex's word.
    func mutex(_ address: UInt) -> ThreadWait {
        .lock(address, owner: mutexOwner(at: address), .mutex)
    }

    /// The owner recorded in a mutex; nil if the words are not a mutex's, or record no owner.
    func mutexOwner(at address: UInt) -> Int32? {
        guard layout.has(.mutexes), let id = half(address &+ layout.mutexOwner),
            let users = half(address &+ layout.mutexUsers), (1...Self.mostUsers).contains(users),
            let kind = half(address &+ layout.mutexKind), kind & ~layout.mutexKinds == 0
        else { return nil }
        return owner(id, isShared: kind & layout.mutexShared != 0)
    }

    /// Returns the owner's id. An id without a thread belongs to an ended thread, unless the lock is
    /// process-shared: then the owner is unknown.
    private func owner(_ id: UInt32, isShared: Bool) -> Int32? {
        guard let id = Int32(exactly: id), id > 0 else { return nil }
        return threads.contains(id) || !isShared ? id : nil
    }

    // MARK: Read-write locks

    /// The wait of a thread that sleeps on a word of a read-write lock. The word that it sleeps on tells
    /// what it is waiting for (nptl/pthread_rwlock_common.c, glibc 2.36).
    func readWriteLock(_ address: UInt, expected: UInt32, isReader: Bool) -> ThreadWait {
        let unknown = ThreadWait.lock(address, owner: nil, .readerWriter)
        guard layout.has(.readerWriterLocks) else { return unknown }
        // If the lock prefers a waiting writer, readers sleep on the lock's first word, which counts the
        // readers.
        let offset =
            expected > layout.mostPhase
            ? 0
            : isReader || expected == layout.emptyPhase ? layout.readersWord : layout.writersWord
        let start = address &- offset
        guard let state = half(start), let writer = half(start &+ layout.writer),
            let shared = half(start &+ layout.lockShared), shared <= 1
        else { return unknown }
        if let owner = owner(writer, isShared: shared == 1) {
            return .lock(start, owner: owner, .readerWriter)
        }
        let isRead = state & layout.writePhase == 0 && state >> layout.readersShift > 0
        return .lock(start, owner: nil, writer == 0 && isRead ? .readLocked : .readerWriter)
    }

    // MARK: Low-level locks

    /// The wait of a thread that sleeps on a low-level lock. A stdio stream records its owner's thread
    /// pointer after the lock (`_IO_lock_t`, sysdeps/nptl/stdio-lock.h); other low-level locks record no
    /// owner.
    func lowLevelLock(_ address: UInt) -> ThreadWait {
        let pointer = word(address &+ layout.streamOwner).map { UInt($0) } ?? 0
        let owner = layout.has(.streams) ? threadPointers[pointer] : nil
        let kind: ThreadWait.LockKind =
            switch address {
            case ctelltale_standard_lock(0): .standardInput
            case ctelltale_standard_lock(1): .standardOutput
            case ctelltale_standard_lock(2): .standardError
            default: owner == nil ? .other : .stream
            }
        return .lock(address, owner: owner, kind)
    }
}
#endif
