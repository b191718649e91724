#if TELLTALE_COMPILED
extension CommandFailure {
    /// A sentence about a value that could not be decoded: the value, the place in it, and the
    /// reason.
    ///
    /// - Parameters:
    ///   - error: What was thrown.
    ///   - subject: What could not be decoded: `the answer`.
    ///   - code: What kind of failure it is.
    public init(decoding error: any Error, _ subject: String, code: Code = .protocolError) {
        guard let error = error as? DecodingError else {
            self.init(code, "\(subject) can't be read: \(error)")
            return
        }
        let reason: String
        var path: [any CodingKey]
        switch error {
        case .keyNotFound(let key, let context):
            path = context.codingPath + [key]
            reason = context.debugDescription
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            path = context.codingPath
            reason = context.debugDescription
        @unknown default:
            path = []
            reason = "\(error)"
        }
        let place = path.reduce("") { place, key in
            key.intValue.map { place + "[\($0)]" }
                ?? place + (place.isEmpty ? "" : ".") + NameFormat.typed(key.stringValue)
        }
        self.init(
            code, place.isEmpty ? "\(subject): \(reason)" : "\(subject), \(place): \(reason)")
    }
}
#endif
