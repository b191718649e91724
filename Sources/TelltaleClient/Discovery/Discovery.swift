import TelltaleProtocol
package import TelltaleSystem

/// Finds agents, nearest places first.
package struct Discovery {
    /// The extent of the search.
    package enum Reach: Int, Comparable, Sendable {
        /// The user's own directories.
        case directories
        /// Also every bound socket of the machine whose name is an agent's.
        case machine
        /// Also other users' directories for root, and other mount namespaces.
        case namespaces

        package static func < (left: Reach, right: Reach) -> Bool { left.rawValue < right.rawValue }
    }

    /// The maximum duration of an agent's handshake, which takes under a millisecond: the rest is
    /// for machines whose cores are taken away for a second or two. A stopped agent is not waited
    /// for.
    package static let timeout: Duration = .seconds(3)

    private let places: SearchPlaces
    /// The maximum duration of an agent's handshake here.
    let timeout: Duration
    /// Directories that can't be trusted, with the reason; a missing one is not a problem.
    package private(set) var problems: [SocketDirectory.Problem] = []
    /// The searched places, nearest first.
    private var searched: [SearchPlaces.Place] = []
    private var known: [FileIdentity] = []
    private var reached: Reach?

    package init(places: SearchPlaces = SearchPlaces(), timeout: Duration = Discovery.timeout) {
        self.places = places
        self.timeout = timeout
    }

    /// The searched places as text: the user's own directories, and the number of others.
    package var searchedText: String {
        let own = places.own.map(\.directory)
        let others = searched.count { !own.contains($0.directory) }
        return own.joined(separator: ", ") + (others > 0 ? " and \(others) more" : "")
    }

    /// The sockets that were not given out before, each once, as far as `reach`. What was searched
    /// in an earlier call is not searched again.
    package mutating func candidates(
        within reach: Reach, processes: [Int32]? = nil
    ) -> [AgentCandidate] {
        var found: [AgentCandidate] = []
        if reached == nil { found += candidates(in: places.own, saying: true) }
        if reach >= .machine, (reached ?? .directories) < .machine {
            found += candidates(in: places.bound, saying: false)
        }
        if reach >= .namespaces, (reached ?? .directories) < .namespaces {
            found += candidates(in: places.others, saying: false)
            let pids = processes ?? ProcessList.pids()
            found += candidates(in: places.namespaces(of: pids), saying: false)
        }
        reached = max(reached ?? reach, reach)
        return found
    }

    /// Asks candidates for their identity, and a single one for `early` too.
    package func contact(_ candidates: [AgentCandidate], early: EarlyRequest? = nil)
        -> [DiscoveryResult]
    {
        DiscoveryResult.contact(candidates, deadline: .now.advanced(by: timeout), early: early)
    }

    private mutating func candidates(
        in places: [SearchPlaces.Place], saying: Bool
    ) -> [AgentCandidate] {
        var found: [AgentCandidate] = []
        for place in places where !searched.contains(place) {
            searched.append(place)
            do throws(SocketDirectory.Problem) {
                for candidate in try AgentCandidate.all(in: place)
                where !known.contains(candidate.identity) {
                    known.append(candidate.identity)
                    found.append(candidate)
                }
            } catch {
                if case .missing = error { continue }
                if saying { problems.append(error) }
            }
        }
        return found
    }
}
