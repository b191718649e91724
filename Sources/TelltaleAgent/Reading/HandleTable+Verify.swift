#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import TelltaleProtocol
    import TelltaleSystem

    extension HandleTable.Place {
        /// Checks that the object still stands where it was when it was given its number.
        ///
        /// To be called on the owner, before the place is read or written.
        /// - Parameters:
        ///   - root: What is registered as ``rootName`` now.
        ///   - masks: What is secret.
        /// - Throws: ``CommandFailure/Code/gone`` where nothing stands there any more,
        ///   ``CommandFailure/Code/conflict`` where it is another object.
        func verify(in root: AnyObject, masks: MaskPolicy) throws(CommandFailure) {
            let spelled = ValuePath(root: .name(rootName), components: path).description
            let hint = "`show \(ValuePath(root: .name(rootName)))` gives out new numbers"
            var limits = ReadLimits(deadline: .now.advanced(by: .seconds(1)))
            limits.depth = 0
            let node: ValueNode
            do throws(CommandFailure) {
                node = try ValueReader(limits: limits, masks: masks, handles: nil)
                    .read(.object(root), rootName: rootName, path: path)
            } catch {
                guard error.code == .notFound || error.code == .gone else { throw error }
                throw CommandFailure(
                    .gone, "the \(typeName) at \(spelled) is gone: \(error.message)", hint: hint)
            }
            if node.kind == .none {
                throw CommandFailure(
                    .gone, "the \(typeName) at \(spelled) is gone: it is nil now", hint: hint)
            }
            guard node.address == "0x" + String(address, radix: 16), node.type == typeName else {
                throw CommandFailure(
                    .conflict, "another value stands at \(spelled) by now, \(node.type)", hint: hint
                )
            }
        }
    }
#endif
