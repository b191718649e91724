// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// A package of its own, because only a dependency can be asked for with its trait: what is measured is
// a release build with the agent in it, as a service would have it.
let package = Package(
    name: "peer-host",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "peer-host", targets: ["peer-host"])],
    dependencies: [.package(name: "telltale", path: "../..", traits: ["AgentInRelease"])],
    targets: [
        .executableTarget(
            name: "peer-host",
            dependencies: [.product(name: "TelltaleAgent", package: "telltale")],
            path: "Sources/PeerHost", swiftSettings: strict)
    ]
)
