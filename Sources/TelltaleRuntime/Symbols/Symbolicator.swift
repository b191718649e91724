#if TELLTALE_AGENT
package import TelltalePicture
package import TelltaleSystem

/// Resolves addresses to functions, files and lines.
///
/// Results are cached by address, so that resolving the same code again reads no file. The files are read
/// by one worker at a time. If storage hangs (a network file system), only that worker hangs. All other
/// callers get the cached results, and the module and offset for the other addresses.
package final class Symbolicator: Sendable {
    /// The maximum number of cached addresses; beyond it the cache is cleared.
    static let maximumKnown = 8192
    /// The maximum wait for another caller's read, even before the deadline: a longer read is assumed to
    /// hang.
    static let readTimeout = Duration.seconds(5)

    private struct Known {
        var image: UInt64
        var frames: [ResolvedFrame]
    }

    private struct State {
        var images: LoadedImages?
        var known: [RawFrame: Known] = [:]
        /// The time since which a worker has been reading files.
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

    /// Runs a job that may block on a worker.
    package typealias Submission = @Sendable (_ job: @escaping @Sendable () -> Void) -> Void

    /// Without workers, files are read on the calling thread.
    package init(runOnWorker: Submission? = nil) { self.runOnWorker = runOnWorker }

    /// The data that could not be read, one sentence per file.
    var problems: [String] { state.update { $0.problems } }

    /// The memory used for object files, in bytes, without the names.
    var bytes: Int { state.update { $0.bytes } }

    /// The functions at each of `frames`, innermost first; never empty.
    ///
    /// If the time isn't enough, or another caller's file hangs, a frame has only its module.
    package func resolve(_ frames: [RawFrame], deadline: MonotonicTime) -> [[ResolvedFrame]] {
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

    /// The functions that begin at `functions`: handlers, and the closures of items.
    package func names(of functions: [UInt], deadline: MonotonicTime) -> [ResolvedFrame] {
        let frames = functions.map { RawFrame(address: $0, kind: .programCounter) }
        return zip(frames, resolve(frames, deadline: deadline)).map { frame, found in
            // A function inlined at the first instruction is not the function itself.
            found.last ?? Self.bare(frame, image: nil)
        }
    }

    /// Runs `body`, which reads object files, on a worker with exclusive use of them; nil if the time isn't
    /// enough.
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

    /// Waits until no other caller's worker is reading; false if that does not happen in time.
    private func takeTurn(until deadline: MonotonicTime) -> Bool {
        // A read that takes longer than the timeout hangs, and callers no longer wait for it.
        let end = state.update { $0.busySince?.advanced(by: Self.readTimeout) }
        let limit = min(deadline, end ?? deadline)
        return state.wait(until: limit) { state -> Bool? in
            guard state.busySince == nil else { return nil }
            state.busySince = .now
            return true
        } ?? false
    }

    // Runs on the worker that currently has exclusive use of the object files.
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
        // A call precedes its return address, and may be the last instruction of its function.
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

    /// The frame as known without reading a file.
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
    /// Applies the result from an object file.
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
