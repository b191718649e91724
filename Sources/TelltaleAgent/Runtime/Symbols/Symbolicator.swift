#if TELLTALE_AGENT
import TelltalePicture
import TelltaleSystem

/// From addresses to functions, files and lines.
///
/// What was found is kept by address, so that the same code read once more takes no file. The files
/// are read by one worker at a time: storage that hangs (a network file system) holds that worker and
/// nobody else, who all get what is known already, with the modules and offsets of the rest.
final class Symbolicator: Sendable {
    /// The most addresses that are kept; beyond it all are forgotten.
    static let maximumKnown = 8192
    /// How long another caller's reading is waited for at most, whatever the deadline: it hangs then.
    static let readTimeout = Duration.seconds(5)

    private struct Known {
        var image: UInt64
        var frames: [ResolvedFrame]
    }

    private struct State {
        var images: LoadedImages?
        var known: [RawFrame: Known] = [:]
        /// Since when a worker reads files.
        var busySince: MonotonicTime?
        var problems: [String] = []
        var bytes = 0
    }

    private struct Wanted: Sendable {
        var frame: RawFrame
        var image: LoadedImages.Image
    }

    private let state = TimedCondition(State())
    private let files = ObjectFiles()
    private let runOnWorker: Submission?

    /// Has a worker run a job that may block.
    typealias Submission = @Sendable (_ job: @escaping @Sendable () -> Void) -> Void

    /// Without workers the files are read on the caller's thread.
    init(runOnWorker: Submission? = nil) { self.runOnWorker = runOnWorker }

    /// What couldn't be read of which file, a sentence each.
    var problems: [String] { state.update { $0.problems } }

    /// Bytes that are kept of object files. What the names take is not in it.
    var bytes: Int { state.update { $0.bytes } }

    /// The functions at each of `frames`, innermost first; never none.
    ///
    /// Where the time isn't enough, or another caller's file hangs, a frame has its module and nothing
    /// else.
    func resolve(_ frames: [RawFrame], deadline: MonotonicTime) -> [[ResolvedFrame]] {
        guard let images = images() else {
            return frames.map { [Self.bare($0, image: nil)] }
        }
        var found: [RawFrame: [ResolvedFrame]] = [:]
        var wanted: [Wanted] = []
        state.update { state in
            for frame in frames where found[frame] == nil {
                let image = images.image(holding: frame.address)
                if let known = state.known[frame], known.image == image?.serial {
                    found[frame] = known.frames
                    continue
                }
                found[frame] = [Self.bare(frame, image: image)]
                if let image { wanted.append(Wanted(frame: frame, image: image)) }
            }
        }
        for (frame, resolved) in known(wanted, among: images, until: deadline) {
            found[frame] = resolved
        }
        return frames.map { found[$0] ?? [Self.bare($0, image: nil)] }
    }

    /// The functions that begin at `functions`: handlers, and closures behind items.
    func names(of functions: [UInt], deadline: MonotonicTime) -> [ResolvedFrame] {
        let frames = functions.map { RawFrame(address: $0, kind: .programCounter) }
        return zip(frames, resolve(frames, deadline: deadline)).map { frame, found in
            // What was inlined at its first instruction is not what it is.
            found.last ?? Self.bare(frame, image: nil)
        }
    }

    /// Has `body` read object files, on a worker whose turn it is; nil where the time isn't enough.
    func withFiles<Result: Sendable>(
        until deadline: MonotonicTime, _ body: @escaping @Sendable (ObjectFiles) -> Result
    ) -> Result? {
        guard let images = images(), MemoryRoom.isEnough, takeTurn(until: deadline) else {
            return nil
        }
        let outcome = TimedCondition<Result?>(nil)
        let job: @Sendable () -> Void = { [self] in
            files.keep(only: Set(images.all.map(\.serial)))
            let result = body(files)
            let problems = files.problems
            let bytes = files.bytes
            state.update { state in
                state.problems = problems
                state.bytes = bytes
                state.busySince = nil
            }
            outcome.update { $0 = result }
        }
        if let runOnWorker { runOnWorker(job) } else { job() }
        return outcome.wait(until: deadline) { $0 }
    }

    private func images() -> LoadedImages? {
        let previous = state.update { $0.images }
        let images = LoadedImages.read(after: previous)
        if let images, images !== previous { state.update { $0.images = images } }
        return images
    }

    // MARK: Reading files

    private func known(
        _ wanted: [Wanted], among images: LoadedImages, until deadline: MonotonicTime
    ) -> [RawFrame: [ResolvedFrame]] {
        guard !wanted.isEmpty, MemoryRoom.isEnough, takeTurn(until: deadline) else {
            return [:]
        }
        let isDone = TimedCondition(false)
        let job: @Sendable () -> Void = { [self] in
            read(wanted, among: images, until: deadline)
            isDone.update { $0 = true }
        }
        if let runOnWorker {
            runOnWorker(job)
            _ = isDone.wait(until: deadline) { $0 ? true : nil }
        } else {
            job()
        }
        return state.update { state in
            var found: [RawFrame: [ResolvedFrame]] = [:]
            for item in wanted {
                if let known = state.known[item.frame], known.image == item.image.serial {
                    found[item.frame] = known.frames
                }
            }
            return found
        }
    }

    /// Waits until no other caller's worker reads; false where it doesn't end.
    private func takeTurn(until deadline: MonotonicTime) -> Bool {
        // One that has read for so long hangs: nobody waits for it any more.
        let end = state.update { $0.busySince?.advanced(by: Self.readTimeout) }
        let limit = min(deadline, end ?? deadline)
        return state.wait(until: limit) { state -> Bool? in
            guard state.busySince == nil else { return nil }
            state.busySince = .now
            return true
        } ?? false
    }

    // On a worker, whose turn it is.
    private func read(
        _ wanted: [Wanted], among images: LoadedImages, until deadline: MonotonicTime
    ) {
        files.keep(only: Set(images.all.map(\.serial)))
        for item in wanted {
            guard MonotonicTime.now < deadline else { break }
            ForkGate.rest()
            let frames = Self.resolve(item.frame, in: item.image, files)
            state.update { state in
                if state.known.count >= Self.maximumKnown { state.known = [:] }
                state.known[item.frame] = Known(image: item.image.serial, frames: frames)
            }
        }
        let problems = files.problems
        let bytes = files.bytes
        state.update { state in
            state.problems = problems
            state.bytes = bytes
            state.busySince = nil
        }
    }

    private static func resolve(
        _ frame: RawFrame, in image: LoadedImages.Image, _ files: ObjectFiles
    ) -> [ResolvedFrame] {
        // A call is before the address that it returns to, and may be its function's last word.
        let address = frame.kind == .returnAddress ? frame.address &- 1 : frame.address
        let found = files.find(address, in: image)
        guard !found.isEmpty else { return [bare(frame, image: image)] }
        return found.map { function in
            var resolved = bare(frame, image: image)
            resolved.name(function)
            if frame.kind == .returnAddress, !function.isInlined { resolved.offset &+= 1 }
            return resolved
        }
    }

    /// What is known of a frame without any file.
    private static func bare(_ frame: RawFrame, image: LoadedImages.Image?) -> ResolvedFrame {
        let module = image.map { image in
            image.path.split(separator: "/").last.map(String.init) ?? image.path
        }
        var resolved = ResolvedFrame(address: frame.address, kind: frame.kind)
        resolved.module = module
        resolved.moduleOffset = image.map { frame.address &- $0.low } ?? 0
        resolved.origin = CodeOrigin.of(symbol: nil, function: nil, module: module)
        return resolved
    }
}

extension ResolvedFrame {
    /// Takes over what an object file says.
    fileprivate mutating func name(_ found: ObjectFiles.Found) {
        let demangled = found.isPlainName ? nil : SymbolName.demangled(found.name)
        let function = demangled ?? SymbolName.whole(found.name)
        symbol = found.isPlainName ? nil : found.name
        self.function = function.isEmpty ? nil : function
        shortFunction =
            SymbolName.isSwift(found.name)
            ? ShortFunction.short(function) : self.function
        offset = found.offset
        file = found.file
        line = found.line
        isInlined = found.isInlined
        isMerged = symbol.map(SymbolName.isMerged) ?? false
        swiftModule = symbol.flatMap { SymbolName.module(of: $0, demangled) }
        origin = CodeOrigin.of(symbol: symbol, function: demangled, module: module, file: file)
    }
}
#endif
