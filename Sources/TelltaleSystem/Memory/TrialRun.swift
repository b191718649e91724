#if TELLTALE_AGENT
package import CTelltaleSystem

/// Host code that runs in a copy of the process, before it runs in the process itself.
package final class TrialRun: @unchecked Sendable {
    /// The end of a trial.
    package enum Ending: Sendable, Equatable {
        case returned
        /// A fault, a trap or an abort, by this signal.
        case signalled(Int32)
        /// It was about to make a system call that is visible outside of the copy.
        case outside(call: Int64)
        /// It was asleep for 60 ms; `forItself` means for a lock that its own thread holds.
        case waits(forItself: Bool)
        /// It was still running at the deadline.
        case runs
        /// It could not be run, or another process ended the copy.
        case lost
    }

    /// The code, kept until the copy is made, which has its own instance.
    private final class Code {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    // Handed from the thread that began the trial to the one that waits.
    private let trial: OpaquePointer

    /// Copies the process and runs `code` there, in a copy of the calling thread; returns at once.
    ///
    /// A system call that is visible outside of the copy ends the trial, or fails if `goesOn` is set.
    ///
    /// - Throws: The kernel's error, or ENOTSUP if such copies are not supported.
    package init(goesOn: Bool, _ code: @escaping () -> Void) throws(SystemError) {
        var made: OpaquePointer?
        let context = Code(code)
        let error = withExtendedLifetime(context) {
            ctelltale_trial_begin(
                { pointer in
                    guard let pointer else { return }
                    Unmanaged<Code>.fromOpaque(pointer).takeUnretainedValue().run()
                }, Unmanaged.passUnretained(context).toOpaque(), goesOn, &made)
        }
        guard error == 0, let made else {
            throw SystemError("clone(a copy of the process)", code: error)
        }
        trial = made
    }

    deinit { ctelltale_trial_free(trial) }

    private static let mostFrames = 64

    /// Waits for the end of the trial, at most until `deadline`; must be called once.
    ///
    /// - Parameters:
    ///   - deadline: The time at which the trial is ended.
    ///   - images: The loaded images, as the C code represents them.
    /// - Returns: The end of the trial, and the frames of the thread if the code did not return.
    package func ending(
        until deadline: MonotonicTime, images: OpaquePointer?
    ) -> (Ending, [CTelltaleFrame]) {
        var end = CTelltaleTrialEnd()
        let frames = [CTelltaleFrame](unsafeUninitializedCapacity: Self.mostFrames) {
            frames, count in
            guard let start = frames.baseAddress else { return }
            NativeThread.waiting {
                ctelltale_trial_await(
                    trial, deadline.nanoseconds, images, &end, start, Self.mostFrames)
            }
            count = min(end.frame_count, Self.mostFrames)
        }
        let ending: Ending =
            switch end.ending {
            case CTelltaleTrialReturned: .returned
            case CTelltaleTrialSignalled: .signalled(end.signal)
            case CTelltaleTrialOutside: .outside(call: end.call)
            case CTelltaleTrialWaits: .waits(forItself: end.waits_for_itself)
            case CTelltaleTrialRuns: .runs
            default: .lost
            }
        return (ending, frames)
    }
}
#endif
