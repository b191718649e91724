// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that no build of the agent's compiles it, and because only a dependency can be asked for with
// its trait: the agent is in a release build of it too.

/// The name under which SwiftPM compiles the package beside this one: that of its folder.
let telltale = Context.packageDirectory.split(separator: "/").dropLast().last ?? ""
let packageName = String(telltale.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .define("TELLTALE_AGENT", .when(platforms: [.linux])),
    // What it calls of TelltaleSystem is for Telltale's own programs, of which this is one.
    .unsafeFlags(["-package-name", packageName]),
]

let package = Package(
    name: "telltale-bench",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "telltale-bench", targets: ["telltale-bench"])],
    dependencies: [.package(name: "telltale", path: "..", traits: ["AgentInRelease"])],
    targets: [
        .executableTarget(
            name: "telltale-bench",
            dependencies: [
                .product(name: "TelltaleAgent", package: "telltale"),
                .product(name: "TelltaleProtocol", package: "telltale"),
                .product(name: "TelltaleSystem", package: "telltale"),
            ],
            packageAccess: false, swiftSettings: settings),
        .testTarget(
            name: "TelltaleBenchTests", dependencies: ["telltale-bench"], packageAccess: false,
            swiftSettings: settings),
    ]
)
