import Foundation

/// Knows where photos come from and which of them were taken already.
actor PhotoStore {
    private let library: Library
    private let downloader: PhotoDownloader
    private var known: Set<URL> = []
    private(set) var refreshes = 0
    private(set) var lastRefresh: Date?

    /// - Parameters:
    ///   - library: The sources.
    ///   - downloader: Gets the listings.
    init(library: Library, downloader: PhotoDownloader) {
        self.library = library
        self.downloader = downloader
    }

    /// The number of photos found so far.
    var count: Int { known.count }

    /// Looks at every source.
    ///
    /// - Returns: What was not known before, in the order of the sources.
    /// - Throws: ``PhotoFailure`` for the first listing that can't be read; the photos of the
    ///   sources before it stay unknown.
    func refresh() async throws(PhotoFailure) -> [PhotoRequest] {
        var found: [URL] = []
        for source in library.sources {
            if source.isFileURL {
                found += try Self.files(in: source).filter(library.takes)
            } else if source.path.isEmpty || source.absoluteString.hasSuffix("/") {
                let page = try await downloader.listing(at: source)
                found += PhotoListing(html: page, base: source).links.filter(library.takes)
            } else {
                found.append(source)
            }
        }
        refreshes += 1
        lastRefresh = Date()
        return found.filter { known.insert($0).inserted }.map { PhotoRequest(url: $0) }
    }

    private static func files(in folder: URL) throws(PhotoFailure) -> [URL] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
                .map { folder.appendingPathComponent($0) }
        } catch {
            throw .unreadable(folder, reason: error.localizedDescription)
        }
    }
}
