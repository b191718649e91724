#if TELLTALE_AGENT
import CTelltaleSystem
package import TelltaleProtocol
import TelltaleSystem

/// A reference to an object of the host that does not keep the object alive. The object can be examined
/// without retaining it. A thread that retains it may release the last reference, and would then run the
/// object's `deinit` itself.
///
/// The reference keeps the object's memory, so that the address is not reused, until the object is found to
/// be destroyed. For an object that was found in memory it keeps nothing, and checks at each access if the
/// object still exists.
package final class HostReference: @unchecked Sendable {
    /// 0 after the object was found destroyed and its memory released.
    private let held: Locked<UInt>
    /// The first word (isa) of an object that was found in memory and is not kept; 0 for others.
    private let foundWord: UInt

    /// Refers to an object that was found in memory, with its first word.
    package init(found address: UInt, word: UInt) {
        held = Locked(address)
        foundWord = word
    }

    package init(_ object: AnyObject) {
        let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        ctelltale_object_hold(address)
        held = Locked(address)
        foundWord = 0
    }

    /// Copies the parent's reference in a forked child. Refers to nothing if a thread that no longer exists
    /// holds the parent's lock, which then stays locked.
    package init(inheriting other: HostReference) {
        let address = other.held.withLockIfAvailable { $0 } ?? 0
        foundWord = other.foundWord
        if address != 0, foundWord == 0 { ctelltale_object_hold(address) }
        held = Locked(address)
    }

    deinit {
        let address = held.withLock { $0 }
        if address != 0, foundWord == 0 { ctelltale_object_let_go(address) }
    }

    /// True for an object that was found in memory: it must not be retained.
    package var isFound: Bool { foundWord != 0 }

    /// The address of the object; nil if it is destroyed.
    package var address: UInt? {
        held.withLock { held -> UInt? in
            guard held != 0 else { return nil }
            if foundWord != 0 {
                if FoundObject.isThere(held, word: foundWord) { return held }
                held = 0
                return nil
            }
            if ctelltale_object_is_alive(held) { return held }
            ctelltale_object_let_go(held)
            held = 0
            return nil
        }
    }

    /// Returns the object, retained. The caller must release it on the object's owner.
    package func retained() -> AnyObject? {
        held.withLock { held -> AnyObject? in
            guard held != 0, foundWord == 0, ctelltale_object_retain(held),
                let object = UnsafeRawPointer(bitPattern: held)
            else { return nil }
            return Unmanaged<AnyObject>.fromOpaque(object).takeRetainedValue()
        }
    }

    /// Runs `body` with the object's address. The object may be freed meanwhile, so it must be read with
    /// guarded reads.
    ///
    /// - Returns: nil if the object is destroyed, also if that happened meanwhile.
    package func withAddress<Result>(
        _ body: (UInt) throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result? {
        guard let address else { return nil }
        do throws(CommandFailure) {
            let result = try body(address)
            return self.address == nil ? nil : result
        } catch {
            // An error from a half-destroyed object is not reported.
            if self.address == nil { return nil }
            throw error
        }
    }

    /// True if the object is destroyed.
    package var isGone: Bool { address == nil }
}
#endif
