#if TELLTALE_AGENT
import CTelltaleSystem

/// The event on which a source of Dispatch may still run its handler.
package enum SourceState: Hashable {
    /// An armed timer, which fires by itself.
    case timer
    /// An event from outside of the process. The value names the watched descriptor or signal.
    case watches(String)
    /// Another thread of the process must act first: arm the source, resume it, or add data to it.
    case waits

    /// The `EVFILT_…` values of libdispatch on Linux (`event_config.h` of swift-6.3.1). Lower values are
    /// libdispatch's custom filters.
    private enum Filter {
        static let read: Int8 = -1
        static let write: Int8 = -2
        static let signal: Int8 = -3
    }
}

extension DispatchLayout {
    /// The state of the source at `address`; nil if there is none.
    package func sourceState(at address: UInt) -> SourceState? {
        guard has(.timers), let read = queue(at: address),
            kinds[FirstWord(read.kind_less_one &+ 1)] == .source, read.is_counted
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
    /// Returns true if a word at `offset` in a queue points to its waiting items.
    package func leadsToItem(from offset: UInt) -> Bool {
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
