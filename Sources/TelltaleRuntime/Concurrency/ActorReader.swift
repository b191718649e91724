#if TELLTALE_AGENT
package import CTelltaleSystem
package import TelltalePicture
import TelltaleSystem

/// Reads single default actors by their addresses.
package enum ActorReader {
    package struct Reading {
        package var state: ActorFacts.State
        /// The tasks, in the order in which they will run.
        package var jobs: [UInt]
        package var waiting: Int
        package var note: String?
    }

    /// The maximum number of jobs walked.
    private static let mostJobs = 4096

    /// Returns true if there can be an actor at an address whose word is that of an actor class.
    package static func isPlausible(_ address: UInt, isDefault: Bool, _ layout: TaskLayout) -> Bool
    {
        let smallest = isDefault ? Int(layout.numbers.actor_size) : 16
        return ctelltale_object_is_plausible(address, smallest, layout.hasChunks)
    }

    /// Reads the default actor at `address`; nil if there is none.
    package static func read(
        at address: UInt, as numbers: CTelltaleTaskLayout = ctelltale_task_layout
    ) -> Reading? {
        var reading = once(address, numbers)
        // A list that changed while it was read is read again; the list of a stuck actor doesn't change.
        for _ in 0..<3 where reading?.isMoving == true { reading = once(address, numbers) }
        guard let reading else { return nil }
        let note: String? =
            if reading.isMoving {
                "moving"
            } else if reading.isCut {
                "there are more"
            } else {
                nil
            }
        return Reading(
            state: reading.state, jobs: reading.jobs, waiting: reading.waiting, note: note)
    }

    private static func once(
        _ address: UInt, _ numbers: CTelltaleTaskLayout
    ) -> (
        state: ActorFacts.State, jobs: [UInt], waiting: Int, isMoving: Bool, isCut: Bool
    )? {
        withUnsafeTemporaryAllocation(of: CTelltaleActorJob.self, capacity: mostJobs) { jobs in
            var actor = CTelltaleActor()
            var numbers = numbers
            guard let start = jobs.baseAddress,
                ctelltale_actor_read(&numbers, address, &actor, start, jobs.count)
            else { return nil }
            let state: ActorFacts.State
            switch actor.state {
            case 0: state = .idle
            case 1: state = .scheduled
            case 2: state = .running
            default: return nil
            }
            let count = min(actor.job_count, jobs.count)
            let tasks = jobs.prefix(count).filter(\.is_task).map { UInt($0.address) }
            return (state, tasks, count, actor.is_moving, actor.is_cut)
        }
    }
}
#endif
