#if TELLTALE_AGENT
import CTelltaleSystem

/// Whether a source of Dispatch's may still run its handler, and by what.
enum SourceState: Hashable {
    /// It will by itself.
    case timer
    /// It will when something comes from outside; what it watches.
    case watches(String)
    /// Somebody in the process has to do something with it first: arm it, resume it, add to it.
    case waits

    /// `EVFILT_…` of libdispatch's on Linux (`event_config.h` of swift-6.3.1); those below are its own.
    private enum Filter {
        static let read: Int8 = -1
        static let write: Int8 = -2
        static let signal: Int8 = -3
    }
}

extension DispatchLayout {
    /// The state of the source at `address`; nil where there is none.
    func sourceState(at address: UInt) -> SourceState? {
        guard has(.timers), let read = queue(at: address),
            kinds[read.kind_less_one &+ 1] == .source, read.is_counted
        else { return nil }
        guard !read.is_cancelled, !read.is_inactive, read.suspensions == 0,
            let source = source(at: address)
        else { return .waits }
        if source.is_timer {
            return source.start > 0 && source.start < UInt64(Int64.max) ? .timer : .waits
        }
        return SourceState(filter: source.filter, of: source.ident)
    }
}

extension DispatchLayout {
    /// Whether a word at `offset` in a queue leads to what waits in it.
    func leadsToItem(from offset: UInt) -> Bool {
        offset == UInt(numbers.queue_head) || offset == UInt(numbers.queue_tail)
    }
}

extension SourceState {
    fileprivate init(filter: Int8, of ident: UInt32) {
        switch filter {
        case Filter.read: self = .watches("descriptor \(ident) for reading")
        case Filter.write: self = .watches("descriptor \(ident) for writing")
        case Filter.signal: self = .watches("signal \(ident)")
        default: self = .waits
        }
    }
}
#endif
