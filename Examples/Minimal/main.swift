import Dispatch
import TelltaleAgent

final class Library {
    var books = ["Dune", "Emma"]
    var notice: String?
}

let queue = DispatchQueue(label: "com.example.library")
let library = Library()

Telltale.start()
Telltale.register(library, as: "library", on: queue)

dispatchMain()
