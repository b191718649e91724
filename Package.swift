// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target: existentials are written with `any`, imports stay internal, and a member is usable
/// only where its module is imported, so that a file's imports are the whole truth.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The agent is for Linux. It is compiled in SwiftPM's debug configuration, or where this trait asks
/// for it; elsewhere, as on macOS, a service that links it builds, and it is empty.
let agentInRelease = "AgentInRelease"
let agentSwift: [SwiftSetting] =
    strict + [
        .define("TELLTALE_AGENT", .when(platforms: [.linux], configuration: .debug)),
        .define("TELLTALE_AGENT", .when(platforms: [.linux], traits: [agentInRelease])),
    ]

/// The client in a release build. SwiftPM links whole objects, of which the linker drops nothing that
/// Swift's metadata refers to, and knows no dependency for one configuration alone: what agent and
/// client share is therefore empty in release unless the client is what is built.
let client = "Client"
let sharedSwift: [SwiftSetting] =
    agentSwift + [
        .define("TELLTALE_COMPILED", .when(platforms: [.linux], configuration: .debug)),
        .define("TELLTALE_COMPILED", .when(platforms: [.linux], traits: [agentInRelease, client])),
    ]
let sharedC: [CSetting] = [
    .headerSearchPath("."),
    .define("_GNU_SOURCE"),
    .define("TELLTALE_AGENT", .when(platforms: [.linux], configuration: .debug)),
    .define("TELLTALE_AGENT", .when(platforms: [.linux], traits: [agentInRelease])),
    .define("TELLTALE_COMPILED", .when(platforms: [.linux], configuration: .debug)),
    .define("TELLTALE_COMPILED", .when(platforms: [.linux], traits: [agentInRelease, client])),
]

/// The agent's C and its engine for values, in which what is hot stands, are optimised in debug builds too,
/// where the agent lives. Its other Swift is compiled as the service is: with all of it optimised, a first
/// build on two cores took up to 2.5 times as long.
/// Packages that others depend on may say so since SwiftPM 6.2.
let optimisedC: [CSetting] = [
    .unsafeFlags(["-O2"], .when(platforms: [.linux], configuration: .debug))
]
/// The engine that reads values: a loop over a large answer's bytes takes ten times as long without `-O`. Its
/// files are compiled as one module, so that their small functions are inlined into each other. The checks of
/// exclusive access, which trap and take a fifth of the time, are left out.
let optimisedSwift: [SwiftSetting] =
    agentSwift + [
        .unsafeFlags(
            [
                "-O", "-wmo", "-disable-batch-mode", "-num-threads", "2",
                "-enforce-exclusivity=unchecked",
            ],
            .when(platforms: [.linux], configuration: .debug))
    ]

let package = Package(
    name: "telltale",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "TelltaleAgent", targets: ["TelltaleAgent"]),
        .library(name: "TelltaleFoundation", targets: ["TelltaleFoundation"]),
        .library(name: "TelltaleClient", targets: ["TelltaleClient"]),
        .library(name: "TelltaleProtocol", targets: ["TelltaleProtocol"]),
        .executable(name: "telltale", targets: ["telltale"]),
        // For Benchmarks, a package of its own: nothing of it is public.
        .library(name: "TelltaleSystem", targets: ["TelltaleSystem"]),
    ],
    traits: [
        .trait(
            name: agentInRelease,
            description: "Compiles the agent into release builds too; its mode is then read-only."),
        .trait(name: client, description: "Compiles the client into release builds."),
    ],
    targets: [
        // What Swift cannot say: the signal handler, credentials, guarded reads of memory.
        .target(name: "CTelltaleSystem", cSettings: sharedC + optimisedC),
        // Every libc call of the agent and the client.
        .target(
            name: "TelltaleSystem", dependencies: ["CTelltaleSystem"],
            swiftSettings: sharedSwift),
        // The model of every answer, its wire format and its renderers. Imports nothing.
        .target(name: "TelltaleProtocol", swiftSettings: sharedSwift),
        // The process as one capture saw it: plain values, made by the agent or by hand.
        .target(
            name: "TelltalePicture", dependencies: ["TelltaleProtocol"],
            swiftSettings: agentSwift),
        // What a picture means. Neither sees memory, a clock or the agent: the compiler knows of none.
        .target(
            name: "TelltaleDiagnosis", dependencies: ["TelltalePicture", "TelltaleProtocol"],
            swiftSettings: agentSwift),
        // The private structures of libdispatch, the Swift runtime, glibc and the kernel's text files,
        // calibrated at start. It names no type of the agent, which lends it workers (RuntimeCaches).
        .target(
            name: "TelltaleRuntime",
            dependencies: [
                "TelltalePicture", "TelltaleProtocol", "TelltaleSystem", "CTelltaleSystem",
            ],
            swiftSettings: agentSwift),
        // The engine that reads values and writes them, and the numbers of objects.
        .target(
            name: "TelltaleValues",
            dependencies: [
                "TelltaleProtocol", "TelltaleRuntime", "TelltaleSystem", "CTelltaleSystem",
            ],
            swiftSettings: optimisedSwift),
        // What a host links: no Foundation, no readline.
        .target(
            name: "TelltaleAgent",
            dependencies: [
                "TelltaleDiagnosis", "TelltalePicture", "TelltaleProtocol", "TelltaleRuntime",
                "TelltaleSystem", "TelltaleValues",
            ],
            swiftSettings: agentSwift),
        // What needs Foundation: Date, Data, URL, UUID and Decimal as values.
        .target(
            name: "TelltaleFoundation",
            dependencies: [
                "TelltaleAgent", "TelltalePicture", "TelltaleProtocol", "TelltaleRuntime",
            ],
            swiftSettings: agentSwift),
        .target(
            name: "TelltaleClient", dependencies: ["TelltaleProtocol", "TelltaleSystem"],
            swiftSettings: strict),
        // The client without its terminal, so that it is tested without one.
        .target(
            name: "TelltaleShell",
            dependencies: ["TelltaleClient", "TelltaleProtocol", "TelltaleSystem"],
            swiftSettings: strict),
        // The licence boundary: GNU readline is linked here and nowhere else.
        .target(
            name: "CTelltaleReadline",
            linkerSettings: [
                .linkedLibrary("readline", .when(platforms: [.linux])),
                .linkedLibrary("tinfo", .when(platforms: [.linux])),
            ]),
        // One file that can be copied into a slim image: 1.4 times the start of /bin/true, against
        // 3.1 with a dynamic libc and 11 with Foundation (measured, Debian 12).
        .executableTarget(
            name: "telltale",
            dependencies: [
                "TelltaleShell", "TelltaleClient", "TelltaleProtocol", "TelltaleSystem",
                "CTelltaleReadline",
            ],
            swiftSettings: strict,
            linkerSettings: [.unsafeFlags(["-static-executable"], .when(platforms: [.linux]))]),
        .executableTarget(
            name: "minimal", dependencies: ["TelltaleAgent"], path: "Examples/Minimal",
            swiftSettings: agentSwift),
        .target(
            name: "TelltaleTestSupport",
            dependencies: ["TelltaleProtocol", "TelltaleSystem"],
            path: "Tests/TelltaleTestSupport", swiftSettings: strict),
        // Threads parked in functions with telling names, as the build has it and (a link to the same
        // sources) always optimised; and what both the tests and the test host have threads do.
        .target(
            name: "TelltaleParked", path: "Tests/TelltaleParked", swiftSettings: strict),
        .target(
            name: "TelltaleParkedOptimised", path: "Tests/TelltaleParkedOptimised",
            swiftSettings: strict + [.unsafeFlags(["-O"])]),
        // Every kind of value that a service has, for the agent to read in both.
        .target(
            name: "TelltaleZoo", dependencies: ["TelltaleZooResilient"],
            path: "Tests/TelltaleZoo", swiftSettings: strict),
        // Its types are as those of a library with a stable interface are to others.
        .target(
            name: "TelltaleZooResilient", path: "Tests/TelltaleZooResilient",
            swiftSettings: strict + [.unsafeFlags(["-enable-library-evolution"])]),
        .target(
            name: "TelltaleZooOptimised", dependencies: ["TelltaleZooResilient"],
            path: "Tests/TelltaleZooOptimised",
            swiftSettings: strict + [.unsafeFlags(["-O"])]),
        // What a service's tasks wait in that is not the service's own.
        .target(
            name: "TelltaleMachinery", path: "Tests/TelltaleMachinery", swiftSettings: strict),
        // A host whose situations the end-to-end tests stage.
        .executableTarget(
            name: "telltale-test-host",
            dependencies: [
                "TelltaleAgent", "TelltaleFoundation", "TelltaleMachinery", "TelltaleParked",
                "TelltaleParkedOptimised", "CTelltaleSystem",
            ],
            path: "Tests/TelltaleTestHost", swiftSettings: agentSwift),
        .testTarget(
            name: "TelltaleProtocolTests",
            dependencies: ["TelltaleProtocol", "TelltaleTestSupport"], swiftSettings: strict),
        .testTarget(
            name: "TelltaleSystemTests",
            dependencies: ["TelltaleSystem", "TelltaleTestSupport"], swiftSettings: strict),
        // Pictures made by hand: none of these needs a process.
        .testTarget(
            name: "TelltaleDiagnosisTests",
            dependencies: ["TelltaleDiagnosis", "TelltalePicture", "TelltaleProtocol"],
            swiftSettings: agentSwift),
        .testTarget(
            name: "TelltaleAgentTests",
            dependencies: [
                "TelltaleAgent", "TelltaleFoundation", "TelltalePicture", "TelltaleProtocol",
                "TelltaleRuntime", "TelltaleSystem", "TelltaleValues", "TelltaleParked",
                "TelltaleParkedOptimised", "TelltaleTestSupport", "TelltaleZoo",
                "TelltaleZooOptimised",
            ], swiftSettings: agentSwift),
        .testTarget(
            name: "TelltaleClientTests",
            dependencies: ["TelltaleClient", "TelltaleProtocol", "TelltaleTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "TelltaleShellTests",
            dependencies: ["TelltaleShell", "TelltaleProtocol", "TelltaleTestSupport"],
            swiftSettings: strict),
        // Real processes, signals, sockets and terminals, on the built binaries. Not a dependency on
        // `telltale`: its linker flag would make one static executable of all tests. SwiftPM builds
        // every executable before it runs tests.
        .testTarget(
            name: "TelltaleEndToEndTests",
            dependencies: [
                "TelltaleTestSupport", "TelltaleProtocol", "TelltaleClient", "TelltaleSystem",
                "minimal", "telltale-test-host",
            ], swiftSettings: strict),
    ]
)
