#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The last things that a connection has asked for, known by the bytes of their requests without the number.
///
/// What comes for the second time may come for a third: then what its bytes decide is kept. It takes up to
/// eight readings of about a kilobyte.
struct KeptRequests {
    private enum Known {
        /// It came once.
        case once
        /// It can't be kept.
        case unfit
        case kept(KeptReading)
    }

    private struct Entry {
        let rest: [UInt8]
        var known: Known
    }

    private static let most = 8
    private static let longest = 512

    private var entries: [Entry] = []
    private var next = 0

    /// What is kept of a request, here or, where it has not come yet, for others; nil of one that has to be read.
    mutating func reading(_ line: RequestLine, or others: KeptTable<[UInt8], KeptReading>?)
        -> KeptReading?
    {
        if let at = index(line) {
            guard case .kept(let reading) = entries[at].known else { return nil }
            return reading
        }
        guard let others, line.rest.count <= Self.longest else { return nil }
        let rest = Array(line.rest)
        guard let reading = others.kept(of: rest) else { return nil }
        add(Entry(rest: rest, known: .kept(reading)))
        return reading
    }

    /// Notes that a request was answered, here and with others; whether it can be kept now.
    mutating func note(_ line: RequestLine, and others: KeptTable<[UInt8], KeptReading>) -> Bool {
        guard line.rest.count <= Self.longest else { return false }
        if let at = index(line) {
            if case .once = entries[at].known { return true }
            return false
        }
        let rest = Array(line.rest)
        add(Entry(rest: rest, known: .once))
        return others.note(rest)
    }

    private mutating func add(_ entry: Entry) {
        if entries.count < Self.most {
            entries.append(entry)
        } else {
            entries[next] = entry
            next = (next + 1) % Self.most
        }
    }

    /// Keeps a reading for a request that was noted, or that it has none.
    mutating func keep(_ reading: KeptReading?, for line: RequestLine) {
        guard let at = index(line) else { return }
        entries[at].known = reading.map { .kept($0) } ?? .unfit
    }

    /// Forgets what is kept of a request, which is then noted once: things have changed.
    mutating func forget(_ line: RequestLine) {
        if let at = index(line) { entries[at].known = .once }
    }

    private func index(_ line: RequestLine) -> Int? {
        var at = 0
        while at < entries.count {
            if line.asks(entries[at].rest) { return at }
            at += 1
        }
        return nil
    }
}
#endif
