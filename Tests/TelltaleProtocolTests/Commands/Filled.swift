/// A value with some of its members set: what an answer may leave out is in no initialiser.
func filled<Value>(_ value: Value, _ fill: (inout Value) -> Void) -> Value {
    var value = value
    fill(&value)
    return value
}
