#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    /// Names that somebody who mistyped one may have meant.
    enum NearestNames {
        /// At most three, nearest first.
        static func to(_ typed: String, among names: [String]) -> [String] {
            let wanted = Array(typed.lowercased().utf8.prefix(64))
            let scored = names.compactMap { name -> (String, Int)? in
                let candidate = Array(name.lowercased().utf8.prefix(64))
                let distance = distance(wanted, candidate)
                let isPrefix = !wanted.isEmpty && candidate.starts(with: wanted)
                guard isPrefix || distance <= max(1, min(wanted.count, candidate.count) / 3) else {
                    return nil
                }
                return (name, isPrefix ? 0 : distance)
            }
            return scored.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(3).map(\.0)
        }

        // Edits of one letter; both are at most 64 long.
        private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
            var row = Array(0...right.count)
            for (i, a) in left.enumerated() {
                var diagonal = row[0]
                row[0] = i + 1
                for (j, b) in right.enumerated() {
                    let cost = min(row[j] + 1, row[j + 1] + 1, diagonal + (a == b ? 0 : 1))
                    diagonal = row[j + 1]
                    row[j + 1] = cost
                }
            }
            return row[right.count]
        }
    }
#endif
