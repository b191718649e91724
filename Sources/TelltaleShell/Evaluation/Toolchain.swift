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

    /// Finds the toolchain: TELLTALE_TOOLCHAIN (its folder with `bin`), else the first in PATH, else the usual
    /// places.
    static func find(
        environment: [String: String] = Spawn.environment()
    ) throws(CommandFailure) -> Toolchain {
        var folders: [String] = []
        if let asked = environment["TELLTALE_TOOLCHAIN"] {
            folders = ["\(asked)/bin", "\(asked)/usr/bin"]
        } else {
            folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
            folders += ["/opt/swift/usr/bin", "/usr/bin", "/usr/local/bin"]
        }
        for folder in folders {
            let program = "\(folder)/swift-frontend"
            guard FileFacts.exists(program) else { continue }
            let real = FileFacts.realPath(program) ?? program
            let bin = real.split(separator: "/").dropLast().joined(separator: "/")
            if let toolchain = Toolchain(bin: "/" + bin) { return toolchain }
        }
        throw CommandFailure(
            .unsupported, "there is no Swift toolchain here: swift-frontend is not in PATH",
            hint: "set TELLTALE_TOOLCHAIN to its folder (the one with bin), of the version that "
                + "built the service; `set` and `call` need none")
    }

    private init?(bin: String) {
        let library = "\(bin)/../lib/swift"
        frontend = "\(bin)/swift-frontend"
        runtimeObject = "\(library)/linux/\(Self.architecture)/swiftrt.o"
        plugins = "\(library)/host/plugins"
        let linkers = ["\(bin)/ld.lld", "/usr/bin/ld.lld", "/usr/bin/ld.gold", "/usr/bin/ld"]
        guard FileFacts.exists(runtimeObject), let found = linkers.first(where: FileFacts.exists)
        else { return nil }
        linker = found
    }
}
