#if TELLTALE_COMPILED
/// Reads JSON (RFC 8259), strictly: no comments, no trailing commas, UTF-8 only.
///
/// An integer that fits 64 bits stays one; any other number becomes the nearest `Double`, and one
/// that no finite `Double` is near to is refused.
public enum JSONParser {
    /// Reads one value that takes the whole text.
    ///
    /// - Parameters:
    ///   - bytes: The text as UTF-8.
    ///   - limits: What is taken at most.
    /// - Returns: The value.
    /// - Throws: ``JSONFailure`` with the place of the first byte that does not fit.
    /// - Complexity: O(*n*) in the number of bytes.
    public static func parse(
        _ bytes: [UInt8], limits: JSONLimits = .init()
    ) throws(JSONFailure) -> JSONValue {
        guard bytes.count <= limits.maximumBytes else {
            throw JSONFailure(
                offset: limits.maximumBytes,
                message:
                    "\(Quantity.count(bytes.count)) bytes of JSON, "
                    + "\(Quantity.count(limits.maximumBytes)) are allowed, so it ends"
            )
        }
        let result = bytes.withUnsafeBytes { raw -> Result<JSONValue, JSONFailure> in
            var reader = JSONReader(bytes: raw, maximumDepth: limits.maximumDepth)
            do throws(JSONFailure) {
                return .success(try reader.document())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
#endif
