/// Functions that are alike: an optimised build makes a copy of `twice` for each, and one of the copies.
public enum Merged {
    /// Calls `body` from one of three such functions.
    public static func call(_ which: Int, _ body: Body) -> Int {
        switch which {
        case 0: mergedWithOthers(body)
        case 1: mergedIntoFirst(body)
        default: mergedIntoFirstToo(body)
        }
    }

    /// The function called in the end.
    public final class Body {
        let code: (Int) -> Int
        var sum = 0

        /// Keeps what is to be called.
        public init(_ code: @escaping (Int) -> Int) { self.code = code }
    }

    @inline(never)
    private static func mergedWithOthers(_ body: Body) -> Int {
        twice(body) { body, value in body.code(value &+ 1001) }
    }

    @inline(never)
    private static func mergedIntoFirst(_ body: Body) -> Int {
        twice(body) { body, value in body.code(value &+ 2002) }
    }

    @inline(never)
    private static func mergedIntoFirstToo(_ body: Body) -> Int {
        twice(body) { body, value in body.code(value &+ 3003) }
    }

    @inline(never)
    private static func twice(_ body: Body, _ call: (Body, Int) -> Int) -> Int {
        body.sum = call(body, 1)
        return body.sum &+ call(body, 2)
    }
}
