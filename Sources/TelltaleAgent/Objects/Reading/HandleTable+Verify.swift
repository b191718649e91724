#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension HandleTable.Place {
    /// Checks that the object still stands where it was when it was given its number.
    ///
    /// To be called on the owner, before the place is read or written.
    /// - Parameters:
    ///   - root: The address of what is registered as ``rootName`` now.
    ///   - masks: What is secret.
    ///   - source: Where it is read.
    /// - Throws: ``CommandFailure/Code/gone`` where nothing stands there any more,
    ///   ``CommandFailure/Code/conflict`` where it is another object.
    func verify(
        in root: ReadRoot, masks: MaskPolicy, source: MemorySource = .process
    ) throws(CommandFailure) {
        let spelled = ValuePath(root: .name(rootName), components: path).description
        let hint = "`show \(ValuePath(root: .name(rootName)))` gives out new numbers"
        let reader = ValueReader(
            limits: ReadLimits(deadline: .now.advanced(by: .seconds(1))), masks: masks,
            handles: nil)
        let found: (address: UInt, typeName: String)?
        do throws(CommandFailure) {
            found = try reader.object(root, rootName: rootName, path: path, in: source)
        } catch {
            guard error.code == .notFound || error.code == .gone else { throw error }
            throw CommandFailure(
                .gone, "the \(typeName) at \(spelled) is gone: \(error.message)", hint: hint)
        }
        guard let found else {
            throw CommandFailure(
                .gone, "the \(typeName) is gone: no object stands at \(spelled) now", hint: hint
            )
        }
        guard found == (address, typeName) else {
            throw CommandFailure(
                .conflict, "another \(found.typeName) stands at \(spelled) by now", hint: hint)
        }
    }
}
#endif
