#if TELLTALE_AGENT
import TelltaleSystem

/// One thread for several connections that ask again and again for what is kept.
///
/// With a thread for each, a request costs the service a change of threads, more than all else that is done for it.
/// The loop waits for all of its connections at once and answers each that has asked. It does only what is done in
/// a moment: what it can't answer at once, and a client that doesn't read, is given to a thread, and where an owner
/// lets it wait each of its connections gets its own thread again.
///
/// A connection comes in without anything being woken. A loop that is awake has it at once. Else its thread notes that
/// it waits, and waits; the loop takes in who is noted between two of its turns, and the thread finds that when it is
/// woken.
final class ConnectionLoop: Sendable {
    struct Member: Sendable {
        let connection: Connection
        let conversation: Conversation
        /// By which the thread that waits for it is told from others that did.
        fileprivate var ticket = 0

        init(_ connection: Connection, _ conversation: Conversation) {
            self.connection = connection
            self.conversation = conversation
        }
    }

    /// What a thread does whose connection was noted.
    enum Offer {
        /// It waits for the next request, and then takes its connection back. It `isAlone` where nobody else asks
        /// again and again.
        case waits(ticket: Int, isAlone: Bool)
        /// It runs the loop.
        case runs(Int)
        /// The loop has it.
        case passedOn
    }

    private struct State {
        /// Who waits for a request on a thread of its own, and may be taken in.
        var waiting: [Member] = []
        var members: [Member] = []
        /// Changes with every change of the members.
        var version = 0
        /// The connection that the loop's thread answers right now, or was the last to answer, or to send what it was
        /// answered, in this turn.
        var current: Connection?
        /// Which thread the members are with, of all that there were; nil where there is none.
        var run: Int?
        /// Whether that thread is awake, and finds whoever is a member by then before it waits.
        var isAwake = false
        var runs = 0
        /// Of that thread's readings.
        var faults: TakenFaults?
        var tickets = 0
        /// When there may be a loop again.
        var opens = MonotonicTime.longAgo
    }

    /// How long each has its own thread after an owner has let the loop wait.
    private static let pause = Duration.seconds(5)
    /// With no more than these it looks for what comes before it sleeps; the threads of many clients need the core.
    private static let fewMembers = 3
    /// How often it is looked whether the descriptors are still ours, in milliseconds.
    private static let lookInterval: Int32 = 1000

    private let state = Locked(State())

    // MARK: The connection's own thread

    /// Notes that a connection waits for its next request on this thread; with two of them there is a loop.
    func offer(_ member: Member) -> Offer {
        state.withLock { state in
            if Self.takeIn(member, &state) { return .passedOn }
            state.tickets += 1
            state.waiting.append(member)
            state.waiting[state.waiting.count - 1].ticket = state.tickets
            guard state.run == nil, state.waiting.count > 1, state.opens <= .now else {
                let isAlone = state.run == nil && state.waiting.count == 1
                return .waits(ticket: state.tickets, isAlone: isAlone)
            }
            state.runs += 1
            state.run = state.runs
            return .runs(state.runs)
        }
    }

    /// Has a connection served on its own thread again; false where the loop has it.
    func withdraw(_ ticket: Int) -> Bool {
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket })
            else { return false }
            let member = state.waiting.remove(at: index)
            return !Self.takeIn(member, &state)
        }
    }

    /// Makes a connection a member where the loop's thread is awake.
    private static func takeIn(_ member: Member, _ state: inout State) -> Bool {
        // One that waits for an owner would let it wait too.
        guard state.isAwake, state.current?.isHeld != true else { return false }
        state.members.append(member)
        state.version += 1
        return true
    }

    // MARK: The loop's thread

    /// Answers the members until there is none left, or they were taken from this thread.
    ///
    /// - Parameters:
    ///   - run: What ``offer(_:)`` gave.
    ///   - leave: Serves one on another thread.
    func run(_ run: Int, leave: (Member, Connection.Resumption) -> Void) {
        let buffer = Connection.makeBuffer()
        defer { buffer.deallocate() }
        let direct = DirectTurn()
        // Its own: one that was replaced may still be in the middle of a reading.
        let faults = TakenFaults()
        state.withLock { if $0.run == run { $0.faults = faults } }
        var (members, version) = ([Member](), -1)
        var list = PollList([])
        var look = EagerLook()
        var pace = Connection.Pace()
        var unsent: [Int] = []
        while let now = turn(of: run, since: version) {
            if let changed = now.members {
                members = changed
                version = now.version
                list = PollList(members.map(\.connection.descriptor.raw))
            }
            let count = Self.wait(for: &list, of: members.count, &look)
            let isSilent = count == 0
            if count > 1 { faults.take() }
            defer { if count > 1 { faults.giveBack() } }
            var answered: Int?
            var requests = 0
            for (index, member) in members.enumerated() where isSilent || list.isReady(index) {
                guard begin(member, in: run) else {
                    if let answered { leave(members[answered], .waiting) }
                    return
                }
                answered = index
                let peeks = count > 1 && list.hasOnlyBytes(index)
                switch member.connection.answerAtOnce(
                    member.conversation, peeks: peeks, pace, buffer, direct)
                {
                case .answered:
                    requests += 1
                    if pace.isCrowded { unsent.append(index) }
                case .silent: break
                case .takenOver:
                    for member in dissolve(run) { leave(member, .waiting) }
                    return
                case .leaves(let next):
                    _ = end(in: run, removing: member)
                    leave(member, next)
                    // It may have taken its time.
                    answered = nil
                    send(to: &unsent, of: members, in: run, pace, &answered, leave)
                }
            }
            send(to: &unsent, of: members, in: run, pace, &answered, leave)
            pace = Connection.Pace(requests: requests, of: members.count)
            if let answered, !end(in: run) { leave(members[answered], .waiting) }
        }
    }

    /// Waits until somebody asks, or for a second; how many do.
    private static func wait(
        for list: inout PollList, of members: Int, _ look: inout EagerLook
    ) -> Int {
        var count = 0
        let hasCome =
            members <= fewMembers
            && look.finds {
                count = list.wait(milliseconds: 0)
                return count > 0
            }
        return hasCome ? count : list.wait(milliseconds: lookInterval)
    }

    /// Sends members what they were answered in a turn. Whoever can't have it at once gets a thread.
    /// `last` is with whom it has begun last, if that one is still a member.
    private func send(
        to unsent: inout [Int], of members: [Member], in run: Int, _ pace: Connection.Pace,
        _ last: inout Int?, _ leave: (Member, Connection.Resumption) -> Void
    ) {
        for index in unsent {
            let member = members[index]
            guard begin(member, in: run) else { break }
            last = index
            if member.connection.sendAnswers(of: member.conversation, pace) { continue }
            _ = end(in: run, removing: member)
            leave(member, .waiting)
            last = nil
        }
        unsent.removeAll(keepingCapacity: true)
    }

    /// The members, where they have changed, with those that wait; nil where this thread has none.
    private func turn(of run: Int, since version: Int) -> (members: [Member]?, version: Int)? {
        state.withLock { state in
            guard state.run == run else { return nil }
            if !state.waiting.isEmpty {
                state.members += state.waiting
                state.waiting = []
                state.version += 1
            }
            state.isAwake = false
            guard !state.members.isEmpty else {
                state.run = nil
                return nil
            }
            return (state.version == version ? nil : state.members, state.version)
        }
    }

    /// Begins with a member, and ends with the one before; false where the members are another thread's, but for the
    /// one that was answered.
    private func begin(_ member: Member, in run: Int) -> Bool {
        state.withLock { state in
            guard state.run == run else { return false }
            state.current = member.connection
            state.isAwake = true
            return true
        }
    }

    /// Ends with the one that was answered; false where the members are another thread's, but for that one.
    private func end(in run: Int, removing member: Member? = nil) -> Bool {
        state.withLock { state in
            guard state.run == run else { return false }
            state.current = nil
            if let member {
                state.members.removeAll { $0.connection === member.connection }
                state.version += 1
            }
            return true
        }
    }

    private func dissolve(_ run: Int) -> [Member] {
        state.withLock { $0.run == run ? Self.dissolve(&$0) : [] }
    }

    // MARK: Other threads

    /// Takes the members from the loop where it answers this connection, which stays what it was; they are the
    /// caller's then.
    func dissolve(heldBy connection: Connection) -> [Member] {
        state.withLock { $0.current === connection ? Self.dissolve(&$0) : [] }
    }

    /// Takes all members from the loop but the one that it answers right now.
    func dissolve() -> [Member] { state.withLock { Self.dissolve(&$0) } }

    private static func dissolve(_ state: inout State) -> [Member] {
        // Its thread may wait for good.
        state.faults?.giveBackForThread()
        state.faults = nil
        let rest = state.members.filter { $0.connection !== state.current }
        state.members = []
        state.version += 1
        state.current = nil
        state.run = nil
        state.isAwake = false
        state.opens = .now.advanced(by: pause)
        return rest
    }
}
#endif
