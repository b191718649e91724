import Foundation

/// The page that a web server makes of a folder: one link a file.
struct PhotoListing: Equatable {
    /// The targets of its links, in the order of the page.
    let links: [URL]

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - html: The page; everything but links is skipped.
    ///   - base: Where the page is; links that lead out of it are left out.
    init(html: Data, base: URL) {
        let page = String(decoding: html, as: UTF8.self)
        links = page.matches(of: /(?i)href\s*=\s*["']([^"'#?]+)/).compactMap { match in
            guard let link = URL(string: String(match.1), relativeTo: base)?.absoluteURL else {
                return nil
            }
            let isInside = link.absoluteString.hasPrefix(base.absoluteString)
            return isInside && link != base.absoluteURL ? link : nil
        }
    }
}
