#if TELLTALE_AGENT
import CTelltaleSystem
import TelltaleProtocol
import TelltaleSystem

/// A reference to an object of the host's that does not keep it alive, and can be looked at without
/// doing so for a moment: whoever holds a strong one may be the last, and has the object's `deinit` on
/// its own thread.
///
/// It keeps the object's memory, so that the address is nobody else's; until the object is found gone.
/// Of an object that was found in memory it keeps nothing: whether it is still there is looked at anew each
/// time.
final class HostReference: @unchecked Sendable {
    /// 0 once the object was found gone, and its memory let go.
    private let held: Locked<UInt>
    /// The first word of one that was found in memory, and is not kept; 0 of others.
    private let foundWord: UInt

    /// An object that was found in memory, by its first word.
    init(found address: UInt, word: UInt) {
        held = Locked(address)
        foundWord = word
    }

    init(_ object: AnyObject) {
        let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        ctelltale_object_hold(address)
        held = Locked(address)
        foundWord = 0
    }

    /// In a forked child: what the parent's reference leads to. Nothing, where a thread that is not
    /// there any more was looking at it: it holds that one's lock for good.
    init(inheriting other: HostReference) {
        let address = other.held.withLockIfAvailable { $0 } ?? 0
        foundWord = other.foundWord
        if address != 0, foundWord == 0 { ctelltale_object_hold(address) }
        held = Locked(address)
    }

    deinit {
        let address = held.withLock { $0 }
        if address != 0, foundWord == 0 { ctelltale_object_let_go(address) }
    }

    /// Whether it leads to an object that was found in memory: nothing may be retained.
    var isFound: Bool { foundWord != 0 }

    /// Where the object is; nil once it is gone.
    var address: UInt? {
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

    /// The object, which lives as long as what is returned: to be let go on its owner.
    func retained() -> AnyObject? {
        held.withLock { held -> AnyObject? in
            guard held != 0, foundWord == 0, ctelltale_object_retain(held),
                let object = UnsafeRawPointer(bitPattern: held)
            else { return nil }
            return Unmanaged<AnyObject>.fromOpaque(object).takeRetainedValue()
        }
    }

    /// Runs `body` with the object's address. It may be freed meanwhile, and is to be read with
    /// guards.
    ///
    /// - Returns: nil where the object is gone, also where it went in the middle.
    func withAddress<Result>(
        _ body: (UInt) throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result? {
        guard let address else { return nil }
        do throws(CommandFailure) {
            let result = try body(address)
            return self.address == nil ? nil : result
        } catch {
            // What half an object seems to be is nothing to be told.
            if self.address == nil { return nil }
            throw error
        }
    }

    /// Whether the object is gone.
    var isGone: Bool { address == nil }
}
#endif
