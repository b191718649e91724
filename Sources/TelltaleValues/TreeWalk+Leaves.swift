#if TELLTALE_AGENT
extension TreeWalk {
    // The room for any number, an address, or the digits of a Double.
    private static let numberRoom = 64

    func addScalar(_ plan: Plan.Pointer, _ bytes: UnsafeRawPointer, _ label: Label) {
        guard let room = tree.leafText(Self.numberRoom) else { return }
        var out = ByteCursor(room)
        put(plan, bytes, to: &out)
        let size = out.end.map(room.distance) ?? 0
        guard size > 0 else { return addUnavailable(plan.pointee.type, label) }
        let flags = label.flags.union([.hasText, .isPlain])
        tree.addLeaf(.init(.scalar, plan.pointee.type, label.number, flags), textSize: size)
        spend(size)
    }

    @inline(__always)
    private func put(_ plan: Plan.Pointer, _ bytes: UnsafeRawPointer, to out: inout ByteCursor) {
        var word: UInt64 = 0
        let size = min(plan.pointee.size, 8)
        withUnsafeMutableBytes(of: &word) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: size))
        }
        switch plan.pointee.kind {
        case .integer:
            let unused = UInt64(64 &- 8 &* size)
            out.put(integer: Int64(bitPattern: word &<< unused) &>> Int64(unused))
        case .natural: out.put(natural: word)
        case .pointer: out.put(address: word)
        case .truth: if word & 1 != 0 { out.put("true") } else { out.put("false") }
        case .double: put(Double(bitPattern: word).description, to: &out)
        case .float:
            put(Float(bitPattern: UInt32(truncatingIfNeeded: word)).description, to: &out)
        default: text(of: bytes, plan).map { put($0, to: &out) }
        }
    }

    private func put(_ text: String, to out: inout ByteCursor) {
        var text = text
        text.withUTF8 { if $0.count <= Self.numberRoom { out.put(UnsafeRawBufferPointer($0)) } }
    }

    /// Adds a string; false if the reader must read it.
    func addString(_ type: NameNumber, _ bytes: UnsafeRawPointer, _ label: Label) -> Bool {
        guard let text = leafText(of: bytes) else { return false }
        let scan = TextScan(text)
        guard scan.isShownAsItIs, !bounds.masks || !scan.mayHoldSecret else { return false }
        let flags = label.flags.union([.hasText, .isQuoted, .isPlain])
        tree.addLeaf(.init(.string, type, label.number, flags), textSize: text.count)
        spend(text.count &+ 2)
        return true
    }

    /// The text of a string, in the place of the next leaf's; nil if the reader must read it. The layout is
    /// that of swift-6.3.1, 64 bits.
    @inline(__always)
    func leafText(of bytes: UnsafeRawPointer) -> UnsafeRawBufferPointer? {
        let (first, second) = bytes.loadUnaligned(as: (UInt64, UInt64).self)
        var (count, address) = (Int(first & 0xFFFF_FFFF_FFFF), UInt(0))
        if second >> 60 & 2 != 0 {
            count = Int(second >> 56 & 0xF)
        } else {
            guard second >> 60 & 1 == 0 else { return nil }
            // A shared string keeps its bytes elsewhere.
            if first >> 60 & 1 == 0, second >> 60 & 8 == 0 {
                guard count == 0 else { return nil }
            } else {
                address = UInt(second & 0x0FFF_FFFF_FFFF_FFFF) &+ 32
            }
        }
        guard count <= bounds.stringBytes, let room = tree.leafText(max(count, 16)) else {
            return nil
        }
        if address == 0 {
            room.copyMemory(from: bytes, byteCount: 16)
        } else if !read(address, room, count) {
            return nil
        }
        return UnsafeRawBufferPointer(start: room, count: count)
    }
}
#endif
