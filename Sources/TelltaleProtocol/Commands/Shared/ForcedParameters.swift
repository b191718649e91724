#if TELLTALE_COMPILED
/// What a last resort is done to: an object of Dispatch's, and whether whoever asks knows what may break.
package struct ForcedParameters: TypedParameters {
    /// Its address, as the listing of its kind shows it, or the path or the handle of what holds it.
    package var target: String
    package var isConfirmed: Bool?

    package init(target: String, isConfirmed: Bool? = nil) {
        (self.target, self.isConfirmed) = (target, isConfirmed)
    }

    package init(of arguments: inout CommandArguments) throws(CommandFailure) {
        isConfirmed = arguments.flag("--yes")
        target = try arguments.word("an address, a path or a handle")
    }
}
#endif
