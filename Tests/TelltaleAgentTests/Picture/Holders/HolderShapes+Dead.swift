#if TELLTALE_AGENT
import Dispatch
import Foundation
import TelltaleSystem

@testable import TelltaleAgent

/// Waits that can never end.
enum DeadShapes {
    static var all: [HeldShape] { semaphores + storages + rooms + continuations }

    private static let hour = DispatchTime.now() + 3600

    final class Node: @unchecked Sendable {  // written by its maker alone
        var other: Node?
        var semaphore: DispatchSemaphore?
        var continuation: CheckedContinuation<Void, Never>?
    }

    actor Keeper {
        private var continuation: CheckedContinuation<Void, Never>?
        func wait() async { await withCheckedContinuation { continuation = $0 } }
    }

    @inline(never) private static func semaphore(_ stage: Stage) -> DispatchSemaphore {
        let semaphore = DispatchSemaphore(value: 0)
        stage.wait(for: semaphore)
        return semaphore
    }

    static let semaphores: [HeldShape] = [
        HeldShape("held by its waiter alone", .nobody) { stage in
            stage.wait(for: DispatchSemaphore(value: 0))
        },
        HeldShape("the word of a descriptor in an epoll that was closed", .nobody) { stage in
            let service = LivingShapes.Service()
            stage.wait(for: service.semaphore)
            close(LivingShapes.watch(service, stage))
        },
        HeldShape("a timer that was cancelled", .nobody) { stage in
            let semaphore = semaphore(stage)
            let timer = DispatchSource.makeTimerSource(queue: .global())
            timer.schedule(deadline: hour)
            timer.setEventHandler { semaphore.signal() }
            let isCancelled = DispatchSemaphore(value: 0)
            timer.setCancelHandler { isCancelled.signal() }
            timer.resume()
            timer.cancel()
            isCancelled.wait()
        },
        HeldShape("a thread that has ended", .nobody) { stage in
            let semaphore = semaphore(stage)
            stage.thread { withExtendedLifetime(semaphore) { _ = usleep(1000) } }
        },
        HeldShape("a task that has ended", .nobody) { stage in
            let semaphore = semaphore(stage)
            Task.detached { withExtendedLifetime(semaphore) { _ = usleep(1000) } }
        },
        HeldShape("an item that has run", .nobody) { stage in
            let semaphore = semaphore(stage)
            DispatchQueue(label: "test.held").async {
                withExtendedLifetime(semaphore) { _ = usleep(1000) }
            }
        },
        HeldShape("a cycle of two objects", .nobody) { stage in
            let first = Node(), second = Node()
            first.other = second
            second.other = first
            first.semaphore = semaphore(stage)
        },
        HeldShape("a group that nobody leaves", .nobody) { stage in
            let group = DispatchGroup()
            group.enter()
            stage.wait(for: group) {
                ($0 as? DispatchGroup)?.wait()
            } ending: {
                ($0 as? DispatchGroup)?.leave()
            }
        },
        HeldShape("a condition that nobody signals", .nobody) { stage in
            stage.wait(
                for: NSCondition(), Stage.awaitCondition, ending: Stage.broadcast)
        },
        HeldShape("a timer that was suspended", .nobody) { stage in
            let semaphore = semaphore(stage)
            let timer = DispatchSource.makeTimerSource(queue: .global())
            timer.schedule(deadline: hour)
            timer.setEventHandler { semaphore.signal() }
            let isArmed = DispatchSemaphore(value: 0)
            timer.setRegistrationHandler { isArmed.signal() }
            timer.resume()
            isArmed.wait()
            timer.suspend()
            let word = ~UInt(bitPattern: Unmanaged.passRetained(timer as AnyObject).toOpaque())
            stage.atEnd { Stage.resume(word) }
        },
        HeldShape("a block that was freed", .nobody) { stage in
            let semaphore = semaphore(stage)
            let size = 2000
            guard let place = malloc(size) else { return }
            memset(place, 0, size)
            let word = UInt(bitPattern: Unmanaged.passUnretained(semaphore).toOpaque())
            place.storeBytes(of: word, toByteOffset: 1024, as: UInt.self)
            free(place)
        },
    ]

    static let continuations: [HeldShape] = [
        HeldShape("a checked continuation that was dropped", .nobody) { stage in
            stage.task {
                await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
            }
        },
        HeldShape("an unsafe continuation that was dropped", .nobody) { stage in
            stage.task {
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        },
        HeldShape("a checked continuation that has a handle", .nobody) { stage in
            stage.task {
                await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in
                    withUnsafeCurrentTask { task in
                        handleInVariable = task.map { unsafeBitCast($0, to: UInt.self) } ?? 0
                    }
                }
            }
            stage.atEnd { handleInVariable = 0 }
        },
        HeldShape("a continuation in an actor that nobody has", .nobody) { stage in
            stage.task { await Keeper().wait() }
        },
        HeldShape("a continuation in a timer that was cancelled", .nobody) { stage in
            stage.task {
                await withCheckedContinuation { continuation in
                    let timer = DispatchSource.makeTimerSource(queue: .global())
                    timer.schedule(deadline: hour)
                    timer.setEventHandler { continuation.resume() }
                    timer.resume()
                    timer.cancel()
                }
            }
        },
        HeldShape("a continuation of a thread that has ended", .nobody) { stage in
            stage.task {
                await withCheckedContinuation { continuation in
                    stage.thread { withExtendedLifetime(continuation) { _ = usleep(1000) } }
                }
            }
        },
        HeldShape("a continuation in a cycle", .nobody) { stage in
            stage.task {
                await withCheckedContinuation { continuation in
                    let first = Node(), second = Node()
                    first.other = second
                    second.other = first
                    first.continuation = continuation
                }
            }
        },
        HeldShape("a stream whose producer is gone", .nobody) { stage in
            stage.task {
                let stream = AsyncStream<Int> { _ in }
                for await _ in stream {}
            }
        },
    ]
}

nonisolated(unsafe) private var handleInVariable: UInt = 0
#endif
