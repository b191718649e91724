// swift-tools-version: 6.2
import Foundation
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

// Debian packages that not every machine has: without them the rest builds, and the service says
// what is missing. SwiftPM caches a manifest's result for as long as the environment is the same;
// `make` names the available ones in it. `PHOTO_PACKAGES=none` builds as on a machine that has
// none.
func isInstalled(_ header: String) -> Bool {
    guard Context.environment["PHOTO_PACKAGES"] != "none" else { return false }
    return ["/usr/include", "/usr/local/include", "/opt/homebrew/include"].contains {
        FileManager.default.fileExists(atPath: "\($0)/\(header)")
    }
}
let hasServer = isInstalled("microhttpd.h")
let hasOpenCV = isInstalled("opencv4/opencv2/objdetect.hpp")

var targets: [Target] = []
var serving: [Target.Dependency] = []
if hasServer {
    // GNU libmicrohttpd as the system has it.
    targets.append(
        .systemLibrary(
            name: "CMicroHTTPD",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]))
    serving.append("CMicroHTTPD")
}
var products: [Product] = []
if hasOpenCV {
    // C++ and OpenCV, which the service loads when it is to draw eyes.
    products.append(.library(name: "PhotoFaces", type: .dynamic, targets: ["FaceDetection"]))
    targets.append(
        .target(
            name: "FaceDetection", dependencies: ["CFaces"],
            cxxSettings: [
                .unsafeFlags(["-I/usr/include/opencv4", "-I/usr/local/include/opencv4"])
            ],
            linkerSettings: ["objdetect", "imgproc", "core"].map {
                .linkedLibrary("opencv_\($0)")
            }))
}
let served: [SwiftSetting] = hasServer ? [.define("HAS_MICROHTTPD")] : []

let package = Package(
    name: "photo-manager",
    platforms: [.macOS(.v15)],
    products: products + [
        .executable(name: "photo-manager", targets: ["photo-manager"]),
        .executable(name: "photo-samples", targets: ["photo-samples"]),
    ],
    dependencies: [.package(name: "telltale", path: "../..")],
    targets: targets + [
        // libgd as the system has it: Debian's libgd-dev, Homebrew's gd.
        .systemLibrary(
            name: "CLibGD", pkgConfig: pkgConfig,
            providers: [.apt(["libgd-dev"]), .brew(["gd"])]),
        // JPEG and PNG in and out; the only code that sees a C image.
        .target(name: "Imaging", dependencies: ["CLibGD"], swiftSettings: strict),
        // The functions of libPhotoFaces.so.
        .target(name: "CFaces"),
        // The service. All it has to do with the agent is in Introspection.swift.
        .executableTarget(
            name: "photo-manager",
            dependencies: [
                "CFaces", "Imaging",
                .product(name: "TelltaleAgent", package: "telltale"),
                .product(name: "TelltaleFoundation", package: "telltale"),
            ] + serving,
            path: "Sources/PhotoManager",
            swiftSettings: strict + served),
        // Paints the photos of the demo and of the tests, so that no picture is checked in.
        .executableTarget(
            name: "photo-samples", dependencies: ["Imaging"], path: "Sources/PhotoSamples",
            swiftSettings: strict),
        .testTarget(
            name: "PhotoManagerTests", dependencies: ["Imaging", "photo-manager"],
            swiftSettings: strict + served),
    ],
    cxxLanguageStandard: .cxx17
)
