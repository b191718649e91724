import Dispatch
import Foundation

/// Values of Foundation's and of Dispatch's, which follow from one number.
///
/// Guarded by the object that has it.
final class WrittenFoundation: @unchecked Sendable {
    var data = Data()
    var largeData = Data()
    var dataPart = Data()
    var date = Date()
    var url: URL?
    var identifier = UUID()
    var price: Decimal = 0
    var length = Measurement(value: 0, unit: UnitLength.meters)
    var parts = DateComponents()
    var indices = IndexSet()
    var characters = CharacterSet()
    var array: NSArray = []
    var mutableArray = NSMutableArray(array: [])
    var dictionary: NSDictionary = [:]
    var nsNumber: NSNumber = 0
    var string: NSString = ""
    var mutableString = NSMutableString(string: "")
    var duration = Duration.zero
    var queue = DispatchQueue(label: "written.0")
    var group = DispatchGroup()
    var semaphore = DispatchSemaphore(value: 0)
    var time = timespec()

    func write(_ number: Int) {
        let byte = UInt8(number)
        data = Data(repeating: byte, count: number)
        largeData = Data(repeating: byte, count: 1000)
        largeData.append(contentsOf: data)
        dataPart = largeData.dropFirst(990)
        date = Date(timeIntervalSince1970: Double(number) * 1_000_000)
        url = number % 4 == 0 ? nil : URL(string: "https://example.com/\(number)?a=b#c")
        identifier = UUID(
            uuid: (
                byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte,
                byte, byte
            ))
        price = Decimal(number) / 8
        length.value = Double(number)
        parts = DateComponents(year: 2000 + number, month: number % 12 + 1)
        indices = IndexSet(integersIn: number..<number * 3 + 1)
        indices.insert(100 + number)
        characters = CharacterSet(charactersIn: String(UnicodeScalar(UInt8(65 + number))))
        array = NSArray(array: Array(repeating: number, count: number))
        mutableArray.removeAllObjects()
        for _ in 0..<number { mutableArray.add("m\(number)") }
        dictionary = ["key \(number)": number]
        nsNumber = NSNumber(value: number)
        string = NSString(string: "ns \(number)")
        mutableString.setString("mutable \(number)")
        duration = .milliseconds(number)
        queue = DispatchQueue(label: "written.\(number)")
        group = DispatchGroup()
        semaphore = DispatchSemaphore(value: number)
        time = timespec(tv_sec: number, tv_nsec: number)
    }
}
