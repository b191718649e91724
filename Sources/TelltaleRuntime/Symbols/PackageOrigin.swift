#if TELLTALE_AGENT
/// Recognises code of packages that the host is built with.
///
/// A linked program does not tell packages apart from the host's own code: both are in one file. The debug
/// information contains the source paths, and SwiftPM and Xcode keep fetched sources in known directories.
/// A package in another directory (a local path, a copy in the repository) may be the host's own code. The
/// best-known packages are also recognised by the names of their modules.
enum PackageOrigin {
    static func isPackages(file: String?, module: String?) -> Bool {
        if let file, isFetched(file) { return true }
        guard let module else { return false }
        if known.contains(module) { return true }
        // A service may have a module of such a name; its source file is then in another directory.
        return file == nil
            && (common.contains(module) || families.contains { module.hasPrefix($0) })
    }

    /// Returns true if a source file is in a directory of fetched packages: `.build/checkouts/swift-nio/…`,
    /// also if the build directory is called `.build-linux`, or `SourcePackages/checkouts/…`.
    private static func isFetched(_ file: String) -> Bool {
        guard file.holds("checkouts/") else { return false }
        let folders = file.split(separator: "/").dropLast()
        guard let place = folders.lastIndex(of: "checkouts"), place + 1 < folders.endIndex else {
            return false
        }
        guard place > folders.startIndex else { return true }
        let parent = folders[place - 1]
        return parent.hasPrefix(".build") || parent == "SourcePackages"
    }

    /// Modules of frameworks in which services run, and that are never the service itself.
    private static let known: Set<String> = [
        "NIO", "NIOCore", "NIOPosix", "NIOEmbedded", "NIOHTTP1", "NIOHTTP2", "NIOSSL", "NIOTLS",
        "NIOWebSocket", "NIOExtras", "NIOHTTPTypes", "NIOHTTPTypesHTTP1", "NIOHTTPTypesHTTP2",
        "NIOConcurrencyHelpers", "NIOFoundationCompat", "NIOFoundationEssentialsCompat",
        "_NIOBase64", "_NIODataStructures", "_NIOFileSystem", "NIOFileSystem",
        "AsyncAlgorithms", "ServiceLifecycle", "UnixSignals", "Hummingbird", "HummingbirdCore",
        "HummingbirdRouter", "HummingbirdHTTP2", "HummingbirdTLS", "AsyncHTTPClient", "GRPCCore",
        "PostgresNIO", "_ConnectionPoolModule",
    ]

    /// Modules that are recognised by name only if there is no debug information.
    private static let common: Set<String> = [
        "Vapor", "AsyncKit", "Logging", "Metrics", "Tracing", "Instrumentation", "Crypto",
        "DequeModule", "Atomics", "SwiftProtobuf", "Kafka", "RediStack", "Valkey", "SotoCore",
    ]

    /// Prefixes of module names of package families; also used only without debug information.
    private static let families = ["NIO", "_NIO", "Hummingbird", "GRPC"]
}
#endif
