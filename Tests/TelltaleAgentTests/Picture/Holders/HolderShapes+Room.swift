#if TELLTALE_AGENT
import Dispatch
import Foundation

@testable import TelltaleAgent

/// Bytes after an object's own in its block, left over from the memory's previous user, are not a
/// path.
extension DeadShapes {
    private final class Pair: Sendable {
        let (first, second): (Int, Int)
        init(_ value: Int) { (first, second) = (value, value) }
    }

    private struct Named {
        var name = "name"
        var count = 1
    }

    private struct Kept: @unchecked Sendable {  // never used
        let value: Any
    }

    /// By itself a function that is given on gets a context around its own.
    private struct Function {
        let call: () -> Void
        var context: UInt { unsafeBitCast(self, to: (UInt, UInt).self).1 }
    }

    /// A block's type has no witnesses here, so that no `Any` can have one.
    private final class Caller: @unchecked Sendable {  // never called
        let block: @convention(block) () -> Void
        init(_ block: @escaping @convention(block) () -> Void) { self.block = block }
    }

    static let rooms: [HeldShape] = [
        HeldShape("behind an object's properties", .nobody) { stage in
            let pair = Pair(Int(getpid()))
            leave(stage, pair, behind: unsafeBitCast(pair, to: UInt.self), of: 32)
        },
        HeldShape("behind a key path's components", .nobody) { stage in
            let path = \Named.count
            leave(
                stage, Kept(value: path), behind: unsafeBitCast(path, to: UInt.self), of: 48)
        },
        HeldShape("behind what a closure has captured", .nobody) { stage in
            let (first, second) = (Int(getpid()), Int(getppid()))
            let closure = { _ = first &+ second }
            leave(stage, Kept(value: closure), behind: Function(call: closure).context, of: 32)
        },
        HeldShape("behind a variable that a closure changes", .nobody) { stage in
            var both = (Int(getpid()), 1)
            let closure = { both.0 += both.1 }
            leave(stage, Kept(value: closure), behind: Function(call: closure).context, of: 32)
        },
        HeldShape("behind what a C block has captured", .nobody) { stage in
            let number = Int(getpid())
            let block: @convention(block) () -> Void = { _ = number }
            let caller = Caller(block)
            leave(stage, caller, behind: unsafeBitCast(caller.block, to: UInt.self), of: 48)
        },
    ]

    /// Has a thread wait for what only the last word of a block leads to, behind the `bytes` that its object
    /// has.
    private static func leave(
        _ stage: Stage, _ value: some Sendable, behind start: UInt, of bytes: Int
    ) {
        let semaphore = DispatchSemaphore(value: 0)
        keep(value, stage)
        guard let object = UnsafeMutableRawPointer(bitPattern: start) else {
            fatalError("\(value) is at no address")
        }
        let size = Int(object.load(fromByteOffset: -8, as: UInt.self) & ~7) - 8
        precondition(size == bytes + 8, "the block of \(value) has \(size) bytes")
        object.storeBytes(
            of: UInt(bitPattern: Unmanaged.passUnretained(semaphore).toOpaque()),
            toByteOffset: bytes, as: UInt.self)
        stage.wait(for: semaphore)
    }
}

/// Has one.
final class Holding: Sendable {
    let semaphore: DispatchSemaphore
    init(_ semaphore: DispatchSemaphore) { self.semaphore = semaphore }
}
#endif
