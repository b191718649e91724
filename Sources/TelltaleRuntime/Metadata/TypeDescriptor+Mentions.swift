#if TELLTALE_AGENT
extension TypeDescriptor.Record {
    /// Returns true if the type's mangled name refers to a descriptor: 1 and a relative offset to the
    /// descriptor, or 2 and an offset to a pointer to it.
    package func mentions(_ descriptor: TypeDescriptor) -> Bool {
        guard let mangled, let start = mangled.baseAddress else { return false }
        var index = 0
        while index < mangled.count {
            switch mangled[index] {
            case let kind where kind == 1 || kind == 2:
                guard index + 5 <= mangled.count else { return false }
                let place = start + index + 1
                var target = UnsafeRawPointer(place + Int(place.loadUnaligned(as: Int32.self)))
                if kind == 2, let pointed = target.load(as: UnsafeRawPointer?.self) {
                    target = pointed
                }
                if target == descriptor.pointer { return true }
                index += 5
            case 0x03...0x17: index += 5
            case 0x18...0x1F: index += 9
            default: index += 1
            }
        }
        return false
    }
}
#endif
