import Dispatch
import Foundation
import Synchronization
import TelltaleAgent

/// Properties that are computed: `properties`.
enum PropertyModes {
    /// Guarded by its queue.
    private final class Cart: @unchecked Sendable {
        var prices = [3, 4, 5]
        var lines = [Line()]
        let queue = DispatchQueue(label: "test.cart")

        var total: Int {
            dispatchPrecondition(condition: .onQueue(queue))
            return prices.reduce(0, +)
        }
        func clear() {
            dispatchPrecondition(condition: .onQueue(queue))
            prices = []
        }
        var apiToken: String { "PLANTED-SECRET-77aa" }
        var first: Line? { lines.first }
        var stuck: Int {
            sleep(3600)
            return 1
        }
    }

    private final class Line {
        var name = "line"
    }

    private actor Till {
        private var coins = [1, 2]
        var sum: Int {
            assertIsolated()
            return coins.reduce(0, +)
        }
    }

    @MainActor private final class Board {
        var title = "board"
        nonisolated init() {}
        var shout: String { title.uppercased() }
    }

    private final class Limits: Sendable {
        let most = 12
        var half: Int { most / 2 }
    }

    private static let kept = Mutex<[any Sendable]>([])
    private static let short = Mutex<Cart?>(Cart())

    static func register() {
        let (cart, till, board, limits) = (Cart(), Till(), Board(), Limits())
        kept.withLock { $0 = [cart, till, board, limits] }
        Telltale.property("early", of: cart) { $0.total }
        Telltale.register(cart, as: "cart", on: cart.queue)
        Telltale.register(till, as: "till")
        Telltale.register(board, as: "board", on: MainActor.shared)
        Telltale.register(limits, as: "limits.of")
        Telltale.property("total", of: cart) { $0.total }
        Telltale.property("count", of: cart, \.prices.count)
        Telltale.property("first", of: cart) { $0.first }
        Telltale.property("apiToken", of: cart) { $0.apiToken }
        Telltale.property("sum", of: till) { $0.sum }
        Telltale.property("shout", of: board, on: MainActor.shared) { $0.shout }
        Telltale.property("half", of: limits, \.half)
        Telltale.action("cart.pay", arguments: ["amount", "tip"], on: cart.queue) {
            (amount: Decimal, tip: Decimal?) in amount + (tip ?? 0)
        }
        Telltale.property("ended", of: limits) { $0.half }.end()
        if let cart = short.withLock({ $0 }) {
            Telltale.register(cart, as: "slow", on: cart.queue)
            Telltale.property("total", of: cart) { $0.total }
            Telltale.property("stuck", of: cart) { $0.stuck }
            // Its latest name has no owner; the first has.
            Telltale.register(cart, as: "basket")
            Telltale.action("slow.clear", of: cart, Cart.clear)
            Telltale.action("letGo") { () async -> Void in short.withLock { $0 = nil } }
        }
    }
}
