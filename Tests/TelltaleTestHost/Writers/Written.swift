import Dispatch
import Foundation

/// An object with a field of every kind, all of which follow from one number: a reader under its
/// owner must find them all of the same.
///
/// Guarded by the owner that it is registered with.
class Written: WrittenBase<[Int]>, @unchecked Sendable {
    var wide: UInt128 = 0
    var half: Float16 = 0
    var vector = SIMD4<Float>()
    var character: Character = "a"
    var text = ""
    var long = ""
    var part: Substring = ""
    var pair = (number: 0, text: "")
    var small = WrittenKinds.Small(0)
    var nested = WrittenKinds.Nested(0)
    var state = WrittenKinds.State.idle
    var tree = WrittenKinds.Tree.leaf(0)
    var twice: Int??
    var list: [Int] = []
    var structs: [WrittenKinds.Small] = []
    var contiguous: ContiguousArray<String> = []
    var slice: ArraySlice<Int> = []
    var inline: InlineArray<3, Int> = [0, 0, 0]
    var table: [String: Int] = [:]
    var objects: [Int: WrittenKinds.Part] = [:]
    var set: Set<Int> = []
    var file = WrittenKinds.File(0)
    var slot = WrittenKinds.Slot.empty
    var object = WrittenKinds.Part(0)
    weak var weakly: WrittenKinds.Part?
    unowned var owner: WrittenKinds.Part
    let foundation = WrittenFoundation()
    let dynamic = WrittenDynamic()

    init() {
        owner = object
        super.init([])
    }

    override func write(_ number: Int) {
        super.write(number)
        base = [number, number]
        wide = UInt128(number) << 100
        half = Float16(number)
        vector = SIMD4(repeating: Float(number))
        character = Character(UnicodeScalar(UInt8(65 + number)))
        text = "text \(number)"
        long = String(repeating: "long \(number) ", count: number)
        part = long.dropFirst(2)
        pair = (number, "pair \(number)")
        small.number = number
        small.name = "small \(number)"
        nested = WrittenKinds.Nested(number)
        state = WrittenKinds.State(number)
        tree = WrittenKinds.Tree(number)
        twice = [nil, .some(nil), .some(number)][number % 3] as Int??
        writeCollections(number)
        file = WrittenKinds.File(number)
        slot = WrittenKinds.Slot(number)
        // The weak reference goes to what lives; the one before it ends here.
        let made = WrittenKinds.Part(number, next: WrittenKinds.Part(number))
        (object, owner, weakly) = (made, made, number % 2 == 0 ? nil : made)
        foundation.write(number)
        dynamic.write(number)
    }

    // In place, as services do: storage grows, is shared and is let go.
    private func writeCollections(_ number: Int) {
        list.removeAll(keepingCapacity: number % 2 == 0)
        for _ in 0..<number * 3 { list.append(number) }
        slice = list.dropFirst(1)
        structs.removeAll()
        for _ in 0..<number { structs.append(WrittenKinds.Small(number)) }
        contiguous = ContiguousArray(repeating: "element \(number)", count: number)
        inline = [number, number, number]
        table.removeAll(keepingCapacity: number % 2 == 1)
        for key in 0..<number { table["key \(key)"] = number }
        objects.removeAll()
        for key in 0..<number % 5 { objects[key] = WrittenKinds.Part(number) }
        set = []
        for element in 0..<number { set.insert(element * number) }
    }
}

/// The inherited part: a generic class's.
class WrittenBase<Value>: @unchecked Sendable {
    var base: Value
    var number = 0
    var byte: UInt8 = 0
    var flag = false
    var ratio = 0.0

    init(_ base: Value) { self.base = base }

    func write(_ number: Int) {
        self.number = number
        byte = UInt8(number)
        flag = number % 2 == 0
        ratio = Double(number) / 4
    }
}
