#if TELLTALE_COMPILED
/// The target of a last resort: an object of Dispatch. Also carries the user's confirmation.
package struct ForcedParameters: TypedParameters {
    /// Its address, as the listing of its kind shows it, or the path or the handle of a referrer.
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
