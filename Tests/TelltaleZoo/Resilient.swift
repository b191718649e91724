import TelltaleZooResilient

extension Zoo {
    static func makeResilient() -> AnyObject { ResilientThings() }
}

private struct Carrying {
    let before: UInt8 = 1
    var price = ResilientPrice(amount: 7, currency: "USD")
    let after = "behind it"
}

private final class Shop: ResilientBase {
    let own: UInt8 = 9
    var state = ResilientState.sold(to: "Ada", ResilientPrice(amount: 5, currency: "GBP"))
    let last = "last"
}

private final class Deeper<Element>: ResilientPair<Element> {
    let element: Element
    var idle = ResilientState.idle

    init(_ element: Element) {
        self.element = element
        super.init(element, element)
    }
}

private final class ResilientThings {
    let base = ResilientBase()
    let shop = Shop()
    let deeper = Deeper("deep")
    let price: ResilientPrice? = ResilientPrice(amount: 1, currency: "CHF")
    let none: ResilientPrice? = nil
    let prices = [ResilientPrice(amount: 2, currency: "SEK")]
    let byName = ["k": ResilientState.idle]
    let carrying = Carrying()
    let any: Any = ResilientPrice(amount: 3, currency: "NOK")
    let inherited: ResilientBase = Shop()
}
