#if TELLTALE_AGENT
/// The calling convention of a function, needed before it is called: the registers of each value. None of
/// it may be guessed, because a wrong register crashes the process.
package struct MethodCallability: Sendable {
    struct Parameter: Sendable {
        let type: Any.Type
        let isOwned: Bool
        /// The values as which the parameter is passed, with their offsets in it.
        let elements: [(passed: PassedType, offset: Int)]
    }

    package typealias Refusal = PassedType.Refusal

    let parameters: [Parameter]
    let result: PassedType

    /// - Throws: The reason why the function can't be called.
    init(of signature: FunctionSignature) throws(Refusal) {
        var parameters: [Parameter] = []
        var words = 0
        for parameter in signature.parameters {
            let elements = try PassedType.parameters(parameter.type)
            words += elements.reduce(0) {
                $0 + ($1.passed.isIndirect ? 1 : $1.passed.parts.count)
            }
            parameters.append(
                Parameter(
                    type: parameter.type, isOwned: parameter.isOwned, elements: elements))
        }
        guard words <= SwiftCall.mostWords else {
            throw Refusal(reason: "it takes more than is passed in registers")
        }
        self.parameters = parameters
        result = try PassedType(signature.result)
        guard signature.isAsync else { return }
        try checkAsync()
    }

    /// Checks that an async function's arguments fit into registers, and that its result has one of three
    /// shapes.
    private func checkAsync() throws(Refusal) {
        var (integers, floats) = (result.isIndirect ? 1 : 0, 0)
        for (passed, _) in parameters.flatMap(\.elements) {
            if passed.isIndirect {
                integers += 1
            } else {
                floats += passed.parts.count(where: \.isFloat)
                integers += passed.parts.count(where: { !$0.isFloat })
            }
        }
        guard integers <= 6, floats <= 8 else {
            throw Refusal(reason: "it is async and takes more than registers have room for")
        }
        guard !result.isIndirect else { return }
        let numbers = result.parts.count(where: \.isFloat)
        guard
            numbers == 0 || numbers == result.parts.count
                || (numbers <= 2 && result.parts.count - numbers <= 2)
        else {
            throw Refusal(
                reason: "it is async and gives a \(TypeNames.name(of: result.type))")
        }
    }
}
#endif
