// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// Debian has libgd's header where every header is; its pkg-config file only adds a warning.
#if os(macOS)
let pkgConfig: String? = "gdlib"
#else
let pkgConfig: String? = nil
#endif

let package = Package(
    name: "photo-manager",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "photo-manager", targets: ["photo-manager"]),
        .executable(name: "photo-samples", targets: ["photo-samples"]),
    ],
    dependencies: [.package(name: "telltale", path: "../..")],
    targets: [
        // libgd as the system has it: Debian's libgd-dev, Homebrew's gd.
        .systemLibrary(
            name: "CLibGD", pkgConfig: pkgConfig,
            providers: [.apt(["libgd-dev"]), .brew(["gd"])]),
        // JPEG and PNG in and out; the only code that sees a C image.
        .target(name: "Imaging", dependencies: ["CLibGD"], swiftSettings: strict),
        // The service. All it has to do with the agent is in Introspection.swift.
        .executableTarget(
            name: "photo-manager",
            dependencies: [
                "Imaging",
                .product(name: "TelltaleAgent", package: "telltale"),
                .product(name: "TelltaleFoundation", package: "telltale"),
            ],
            path: "Sources/PhotoManager", swiftSettings: strict),
        // Paints the photos of the demo and of the tests, so that no picture is checked in.
        .executableTarget(
            name: "photo-samples", dependencies: ["Imaging"], path: "Sources/PhotoSamples",
            swiftSettings: strict),
        .testTarget(
            name: "PhotoManagerTests", dependencies: ["Imaging", "photo-manager"],
            swiftSettings: strict),
    ]
)
