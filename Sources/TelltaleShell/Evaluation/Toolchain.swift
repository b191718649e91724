import TelltaleProtocol
import TelltaleSystem

/// The programs of a Swift toolchain that compile and link an evaluation.
struct Toolchain {
    let frontend: String
    let linker: String
    /// The folder with the runtime's own object, which registers the code's metadata.
    let runtimeObject: String
    let plugins: String

    static let architecture: String = {
        #if arch(arm64)
        "aarch64"
        #else
        "x86_64"
        #endif
    }()

    /// The target as the compiler names it.
    static var target: String { "\(architecture)-unknown-linux-gnu" }

    /// Finds the toolchain: TELLTALE_TOOLCHAIN (its folder with `bin`), else the first in PATH.
    static func find(
        environment: [String: String] = Spawn.environment()
    ) throws(CommandFailure) -> Toolchain {
        let path = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let asked = environment["TELLTALE_TOOLCHAIN"]
        for folder in asked.map({ ["\($0)/bin", "\($0)/usr/bin"] }) ?? path {
            let program = "\(folder)/swift-frontend"
            guard FileFacts.exists(program) else { continue }
            let real = FileFacts.realPath(program) ?? program
            let bin = real.split(separator: "/").dropLast().joined(separator: "/")
            if let toolchain = Toolchain(bin: "/" + bin, path) { return toolchain }
        }
        throw CommandFailure(
            .unsupported, "there is no Swift toolchain here: swift-frontend is not in PATH",
            hint: "set TELLTALE_TOOLCHAIN to its folder (the one with bin), of the version that "
                + "built the service; `set` and `call` need none")
    }

    /// - Parameters:
    ///   - bin: The folder of the toolchain's programs.
    ///   - path: Where a linker is looked for if the toolchain has none.
    private init?(bin: String, _ path: [String]) {
        let library = "\(bin)/../lib/swift"
        frontend = "\(bin)/swift-frontend"
        runtimeObject = "\(library)/linux/\(Self.architecture)/swiftrt.o"
        plugins = "\(library)/host/plugins"
        let linkers = ["\(bin)/ld.lld"] + path.map { "\($0)/ld" }
        guard FileFacts.exists(runtimeObject), let found = linkers.first(where: FileFacts.exists)
        else { return nil }
        linker = found
    }
}
