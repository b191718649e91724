#if TELLTALE_AGENT
import Synchronization
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

extension ProfileCommand: AgentCommand {
    /// One profile at a time: two would see each other's stops.
    private static let isBusy = Atomic(false)
    /// The maximum time for the names, after the profile.
    private static let longestNaming = Duration.seconds(15)

    static func run(
        _ parameters: Parameters, in context: CommandContext
    ) throws(CommandFailure) -> Answer {
        guard !isBusy.exchange(true, ordering: .acquiring) else {
            throw CommandFailure(.bound, "another profile is being made", hint: "wait for its end")
        }
        defer { isBusy.store(false, ordering: .releasing) }
        let asked = parameters.forSeconds ?? Parameters.usualSeconds
        let seconds = min(max(asked.isFinite ? asked : 0, 0.1), Parameters.mostSeconds)
        let rate = min(max(parameters.rate ?? Parameters.usualRate, 1), Parameters.mostRate)
        let began = MonotonicTime.now
        var end = began.advanced(by: .seconds(seconds))
        let wanted = end
        if context.isTimeAsked { end = min(end, context.answerDeadline) }
        guard var sampler = ThreadSampler(until: end) else {
            throw CommandFailure(
                .unsupported, "threads are not available: the process's mappings can't be listed")
        }
        defer { sampler.free() }
        sampler.thread = parameters.thread
        sampler.queue = parameters.queue
        sampler.run(until: end, rate: rate, isOver: context.isClientGone)
        guard !context.isClientGone() else {
            throw CommandFailure(.gone, "the client has left while the process was profiled")
        }
        let length = MonotonicTime.now.since(began).seconds
        var answer = answer(of: sampler, rate: rate, seconds: length, in: context)
        answer.time = parameters.time
        if end < wanted {
            answer.notes.append(
                "--timeout left \(Quantity.time(seconds: length)) of \(Quantity.time(seconds: seconds))"
            )
        }
        return answer
    }

    private static func answer(
        of sampler: ThreadSampler, rate: Int, seconds: Double, in context: CommandContext
    ) -> Answer {
        var indices: [Answer.Frame: Int] = [:]
        var answer = Answer(seconds: seconds, rate: rate, frames: [], stacks: [])
        let names = names(of: sampler.result.stacks, in: context)
        for stack in sampler.result.stacks {
            var resolved: [ResolvedFrame] = []
            for frame in stack.frames { resolved += names[frame] ?? [] }
            let frames = resolved.map { frame -> Int in
                let shown = Answer.Frame(
                    function: frame.title ?? "?", module: frame.swiftModule ?? frame.module,
                    file: frame.sourceFile, line: frame.line, isHosts: frame.isHosts)
                if let known = indices[shown] { return known }
                indices[shown] = answer.frames.count
                answer.frames.append(shown)
                return answer.frames.count - 1
            }
            answer.stacks.append(
                .init(
                    frames: frames, origin: stack.origin, cpu: Int(clamping: stack.times.cpu),
                    offCore: Int(clamping: stack.times.offCore),
                    ready: Int(clamping: stack.times.ready), samples: stack.times.samples,
                    wait: stack.call.map(\.name),
                    isIdle: stack.call != nil && resolved.hostFrame == nil ? true : nil))
        }
        let dropped = sampler.result.dropped
        if dropped.samples > 0 {
            answer.droppedSeconds = Double(dropped.cpu &+ dropped.offCore &+ dropped.ready) / 1e9
        }
        answer.looks = sampler.looks
        answer.threads = sampler.threads
        answer.cores = ProcessIdentity.cores
        answer.cpuSeconds = Double(sampler.processorTime) / 1e9
        answer.endedCalls = sampler.calls > 0 ? sampler.calls : nil
        answer.notes = sampler.notes
        return answer
    }

    private static func names(
        of stacks: [SampledStacks.Stack], in context: CommandContext
    ) -> [RawFrame: [ResolvedFrame]] {
        let all = Array(Set(stacks.lazy.flatMap(\.frames)))
        let deadline = MonotonicTime.now.advanced(by: longestNaming)
        var names: [RawFrame: [ResolvedFrame]] = [:]
        // The symbolicator keeps some thousands.
        for start in stride(from: 0, to: all.count, by: 4000) {
            let part = Array(all[start..<min(start + 4000, all.count)])
            let found = context.agent.symbols.resolve(part, deadline: deadline)
            names.merge(zip(part, found)) { first, _ in first }
        }
        return names
    }
}
#endif
