#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import Synchronization
    import TelltaleAgentProtocol

    @testable import TelltaleAgent

    // What was read of is kept: the root itself keeps nothing alive.
    private let kept = Mutex<[UncheckedObject]>([])

    extension ReadRoot {
        /// An object, which lives from now on.
        static func object(_ object: AnyObject) -> ReadRoot {
            let object = UncheckedObject(object: object)
            kept.withLock { $0.append(object) }
            return .object(at: UInt(bitPattern: Unmanaged.passUnretained(object.object).toOpaque()))
        }
    }

    extension HandleTable.Place {
        /// Checks a root that the test keeps alive.
        func verify(in root: AnyObject, masks: MaskPolicy) throws(CommandFailure) {
            defer { withExtendedLifetime(root) {} }
            try verify(
                in: UInt(bitPattern: Unmanaged.passUnretained(root).toOpaque()), masks: masks)
        }
    }
#endif
