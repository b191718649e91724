#if TELLTALE_AGENT
/// Which code is of a package that the host is built with, and not the host's own.
///
/// A linked program doesn't tell them apart: they lie in one file. What does is where SwiftPM and Xcode
/// keep the sources of what they fetch, which the debug information has. Packages that lie elsewhere (a
/// local path, a copy in the repository) may be as much the host's own as anything; of those that are
/// nobody's the best known are told by the names of their modules.
enum PackageOrigin {
    static func isPackages(file: String?, module: String?) -> Bool {
        if let file, isFetched(file) { return true }
        guard let module else { return false }
        if known.contains(module) { return true }
        // A service may have a module of such a name; its file lies elsewhere.
        return file == nil
            && (common.contains(module) || families.contains { module.hasPrefix($0) })
    }

    /// Whether a source file lies where packages are fetched to: `.build/checkouts/swift-nio/…`, also
    /// where the build folder is called `.build-linux`, or `SourcePackages/checkouts/…`.
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

    /// What services run in, and is no service itself.
    private static let known: Set<String> = [
        "NIO", "NIOCore", "NIOPosix", "NIOEmbedded", "NIOHTTP1", "NIOHTTP2", "NIOSSL", "NIOTLS",
        "NIOWebSocket", "NIOExtras", "NIOHTTPTypes", "NIOHTTPTypesHTTP1", "NIOHTTPTypesHTTP2",
        "NIOConcurrencyHelpers", "NIOFoundationCompat", "NIOFoundationEssentialsCompat",
        "_NIOBase64", "_NIODataStructures", "_NIOFileSystem", "NIOFileSystem",
        "AsyncAlgorithms", "ServiceLifecycle", "UnixSignals", "Hummingbird", "HummingbirdCore",
        "HummingbirdRouter", "HummingbirdHTTP2", "HummingbirdTLS", "AsyncHTTPClient", "GRPCCore",
        "PostgresNIO", "_ConnectionPoolModule",
    ]

    /// The same, where only the lack of debug information lets a name decide.
    private static let common: Set<String> = [
        "Vapor", "AsyncKit", "Logging", "Metrics", "Tracing", "Instrumentation", "Crypto",
        "DequeModule", "Atomics", "SwiftProtobuf", "Kafka", "RediStack", "Valkey", "SotoCore",
    ]

    /// How the names of many begin that belong together; likewise.
    private static let families = ["NIO", "_NIO", "Hummingbird", "GRPC"]
}
#endif
