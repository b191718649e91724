#if TELLTALE_COMPILED
extension Collection<String> {
    /// `photos, model and 3 more`: so many of them at most, and how many others there are.
    package func listed(_ most: Int) -> String {
        let shown = prefix(most).joined(separator: ", ")
        return count > most ? "\(shown) and \(Quantity.count(count - most)) more" : shown
    }
}
#endif
