/// Requests that were right until some of their bytes were changed, the same on every run.
package struct RequestMutations {
    /// Lines of a program that are right.
    package static let requests = [
        #"{"jsonrpc":"2.0","id":1,"method":"objects"}"#,
        #"{"jsonrpc":"2.0","id":"a","method":"show","params":{"path":"photos.items[0..<2].title","depth":3}}"#,
        #"{"jsonrpc":"2.0","id":2.5,"method":"get","params":{"path":"cache.values[\"k\"]"}}"#,
        #"{"jsonrpc":"2.0","id":3,"method":"set","params":{"path":"photos.settings.quality","value":"81"}}"#,
        #"{"jsonrpc":"2.0","id":4,"method":"call","params":{"action":"view.rename","arguments":"\"x\\n\\u{1F600}\""}}"#,
        #"{"jsonrpc":"2.0","id":5,"method":"status","params":{"deadlineMilliseconds":1000}}"#,
        #"{"jsonrpc":"2.0","id":6,"method":"complete","params":{"line":"photos.it","cursor":9}}"#,
        #"{"jsonrpc":"2.0","id":7,"method":"changes"}"#, #"{"jsonrpc":"2.0","method":"undo"}"#,
        #"{"jsonrpc":"2.0","id":8,"method":"threads","params":{"all":true}}"#,
        #"{"jsonrpc":"2.0","id":9,"method":"stack","params":{"threads":[1,2,2147483647],"full":true}}"#,
        #"{"jsonrpc":"2.0","id":10,"method":"queues","params":{"all":true}}"#,
        #"{"jsonrpc":"2.0","id":11,"method":"queue","params":{"name":"test.photos","limit":3}}"#,
        #"{"jsonrpc":"2.0","id":12,"method":"timers","params":{"all":true}}"#,
        #"{"jsonrpc":"2.0","id":13,"method":"suspend","params":{"queue":"test.photos","forSeconds":1}}"#,
        #"{"jsonrpc":"2.0","id":14,"method":"resume","params":{"queue":"test.photos"}}"#,
        #"{"jsonrpc":"2.0","id":15,"method":"cancel","params":{"kind":"item","id":"0x10","queue":"test.photos"}}"#,
        #"{"jsonrpc":"2.0","id":16,"method":"cancel","params":{"kind":"task","id":"18446744073709551615"}}"#,
        #"{"jsonrpc":"2.0","id":17,"method":"watch","params":{"what":"stuck","everySeconds":86400,"off":true}}"#,
        #"{"jsonrpc":"2.0","id":18,"method":"tasks","params":{"full":true}}"#,
        #"{"jsonrpc":"2.0","id":19,"method":"heap","params":{"top":3,"diff":true}}"#,
        #"{"jsonrpc":"2.0","id":20,"method":"instances","params":{"type":"Photo","limit":3,"where":"size=1"}}"#,
        #"{"jsonrpc":"2.0","id":21,"method":"roots","params":{"word":"shared","limit":2}}"#,
        #"{"jsonrpc":"2.0","id":22,"method":"types","params":{"word":"Photo","limit":2}}"#,
        #"{"jsonrpc":"2.0","id":23,"method":"methods","params":{"type":"Photo"}}"#,
        #"{"jsonrpc":"2.0","id":24,"method":"get","params":{"path":"photos.items where size > 1 sorted by title first 2"}}"#,
        #"{"jsonrpc":"2.0","id":25,"method":"get","params":{"path":"(photos.items.count + 1) * -2 == 3 || !(plain.limit < 2.5)"}}"#,
        #"{"jsonrpc":"2.0","id":26,"method":"show","params":{"path":"photos","match":"size","limit":3,"depth":9}}"#,
        #"{"jsonrpc":"2.0","id":27,"method":"show","params":{"path":"photos.items","fields":["title","size"],"table":true}}"#,
        #"{"jsonrpc":"2.0","id":28,"method":"watch","params":{"what":"values","paths":["plain.limit","(photos.items count)"],"everySeconds":0.1,"count":3}}"#,
        RawClient.hello,
    ]

    /// Lines that are right where a person types them.
    package static let typed = [
        "objects", "show photos.items[0..<2].title --depth 3", "get cache.values[\"k\"]",
        "photos.settings.quality = 81", "view.rename(\"x\\n\\u{1F600}\")", "po #1", "changes",
        "help show", "p photos.ratings[\"a b\"]", "store", "threads --all", "stack main --full",
        "bt 1", "queue test.photos --limit 3", "timers --all", "resume test.photos",
        "cancel item test.photos 0x10", "cancel task #1", "watch stuck off", "tasks --full",
        "heap --top 3 --diff", "instances Photo --where size=1 --limit 3", "roots shared",
        "instances Photo --where 'size > 1 && x == 2'",
        "types Photo --limit 2", "methods Photo", "photos.items where size > 1 count",
        "get (photos.items sorted by size descending)[0].title == \"x\"", "plain.limit + 1",
        "show photos --match size --limit 3",
        "watch plain.limit (photos.items count) --every 1s --count 2",
        "show photos.items --fields title,size --table",
    ]

    private static let pieces: [[UInt8]] =
        [
            "{", "}", "[", "]", "\"", "\\", "\\u", "\\ud800", ":", ",", "null", "true", "-", "0",
            "1e999", "99999999999999999999", "-9223372036854775808", "..<", "..", "#", "`", "(",
            ")",
            "\r", "\n", "\0", "\u{1B}[2J", "\u{202E}", "📷", "id", "method", "params", "path",
        ].map { Array($0.utf8) }
        // Not UTF-8: a lone continuation, an overlong slash, half a scalar, a surrogate.
        + [[0x80], [0xC0, 0xAF], [0xF0, 0x9F], [0xED, 0xA0, 0x80], [0xFF]]

    private var random: SeededGenerator
    private let seeds: [[UInt8]]

    /// Makes mutations.
    ///
    /// - Parameters:
    ///   - seed: What decides all of them.
    ///   - seeds: What they are made of.
    package init(seed: UInt64, seeds: [String] = requests) {
        random = SeededGenerator(seed: seed)
        self.seeds = seeds.map { Array($0.utf8) }
    }

    /// The next ones, each with a line's end.
    package mutating func lines(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<count { bytes += line() + [0x0A] }
        return bytes
    }

    /// The next one. It may have line ends inside, and it may have become right again.
    package mutating func line() -> [UInt8] {
        var bytes = seeds.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 0...8, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes.removeSubrange(place..<end)
            case 1: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 2: bytes = Array(bytes[..<place])
            case 3:
                let other = seeds.randomElement(using: &random) ?? []
                bytes = bytes[..<place] + other.suffix(other.count / 2)
            case 4 where place < bytes.count:
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            default:
                bytes.insert(
                    contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: place)
            }
        }
        return bytes
    }
}
