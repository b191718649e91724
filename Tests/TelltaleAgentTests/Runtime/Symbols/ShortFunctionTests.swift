#if TELLTALE_AGENT
import Testing

@testable import TelltaleRuntime

@Suite("The short spelling of functions")
struct ShortFunctionTests {
    @Test(
        "modules, types and the compiler's words are left out",
        arguments: [
            ("Photos.PhotoManager.add(Photos.Photo) -> ()", "PhotoManager.add(_:)"),
            (
                "closure #1 @Sendable () -> () in Photos.PhotoManager.add(Photos.Photo) -> ()",
                "closure #1 in PhotoManager.add(_:)"
            ),
            (
                "closure #2 (Swift.Int) throws -> Swift.String in closure #1 () -> () in App.run() -> ()",
                "closure #2 in closure #1 in run()"
            ),
            (
                "Photos.PhotoManager.download(from: Swift.String, to: Swift.Int) async throws -> Swift.Int",
                "PhotoManager.download(from:to:)"
            ),
            (
                "(1) await resume partial function for closure #1 @Sendable () async -> () in static App.Main.main() async throws -> ()",
                "closure #1 in static Main.main()"
            ),
            (
                "(3) suspend resume partial function for App.Store.refresh() async throws -> ()",
                "Store.refresh()"
            ),
            ("App.Store.count.getter : Swift.Int", "Store.count.getter"),
            (
                "App.(Store in _0123456789ABCDEF).load(_: Swift.Int) -> ()",
                "Store.load(_:)"
            ),
            (
                "App.Store.(load in _0123456789ABCDEF)(key: Swift.Int, Swift.Int) -> ()",
                "Store.load(key:_:)"
            ),
            ("(extension in App):Swift.String.shout(Swift.Int) -> ()", "String.shout(_:)"),
            (
                "static App.Point.== infix(App.Point, App.Point) -> Swift.Bool",
                "static Point.==(_:_:)"
            ),
            (
                "static App.Point.< infix(App.Point, App.Point) -> Swift.Bool",
                "static Point.<(_:_:)"
            ),
            ("App.Box.init(value: A) -> App.Box<A>", "Box.init(value:)"),
            ("App.Box.map<A>((A) -> A1, in: [Swift.Int : A]) -> App.Box<A1>", "Box.map(_:in:)"),
            (
                "generic specialization <Swift.Int> of App.Box.map<A>((A) -> A1) -> App.Box<A1>",
                "Box.map(_:)"
            ),
            (
                """
                merged function signature specialization <Arg[1] = Dead> of function signature \
                specialization <Arg[1] = [Closure Propagated : $s3App1fyyF, Argument Types : []> of \
                static App.Each.(twice in _58)(App.Body, (App.Body, Swift.Int) -> Swift.Int) -> ()
                """, "static Each.twice(_:_:)"
            ),
            (
                "function signature specialization <Arg[0] = Dead> of App.run(Swift.Int) -> ()",
                "run(_:)"
            ),
            (
                "partial apply forwarder for closure #1 () -> () in App.run() -> ()",
                "closure #1 in run()"
            ),
            (
                "reabstraction thunk helper from @escaping @callee_guaranteed () -> () to @escaping @callee_unowned @convention(block) () -> ()",
                "reabstraction thunk"
            ),
            (
                "protocol witness for App.Runner.run(now: Swift.Bool) -> () in conformance App.Box : App.Runner in App",
                "Runner.run(now:)"
            ),
            (
                "inner #1 (depth: Swift.Int) -> () in App.Store.walk() -> ()",
                "inner(depth:) in Store.walk()"
            ),
            ("type metadata accessor for App.Store", "type metadata accessor for Store"),
            (
                "default argument 1 of App.Store.load(Swift.Int, again: Swift.Bool) -> ()",
                "default argument 1 of Store.load(_:again:)"
            ),
            ("App.Store.__deallocating_deinit", "Store.__deallocating_deinit"),
            (
                "freestanding macro expansion #3 of expect in module Tests file A.swift line 77 column 13",
                "macro expansion #3 of expect"
            ),
            ("main", "main"),
            ("pthread_cond_wait", "pthread_cond_wait"),
            ("", ""),
            ("((((", "(((("),
            ("closure #1", "closure #1"),
        ])
    func short(_ full: String, _ short: String) {
        #expect(ShortFunction.short(full) == short)
    }

    @Test("whatever the text is, it is spelled in time and without a trap")
    func hostile() {
        var generator = SystemRandomNumberGenerator()
        let pieces = [
            "(", ")", "<", ">", " in ", " of ", ".", ": ", ",", "closure #", "static ", "a",
            "é", "#1",
        ]
        for _ in 0..<5000 {
            let text = (0..<Int.random(in: 0..<20, using: &generator))
                .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            _ = ShortFunction.short(text)
        }
        _ = ShortFunction.short(String(repeating: "(<", count: 20_000))
    }
}
#endif
