import Dispatch
import Foundation

let options: Options
do {
    options = try Options(Array(CommandLine.arguments.dropFirst()))
} catch {
    FileHandle.standardError.write(Data("photo-manager: \(error)\n".utf8))
    exit(2)
}
if options.wantsHelp {
    print(Options.help)
    exit(0)
}
if options.wantsWays {
    print(DownloadWay.list)
    exit(0)
}
if options.wantsRecipes {
    print(Recipe.list)
    exit(0)
}
if options.wantsFaults {
    print(Fault.list)
    exit(0)
}

let token = ProcessInfo.processInfo.environment["PHOTO_API_TOKEN"] ?? ""
let service = Service(options: options, token: token)
do {
    try service.serve()
} catch {
    FileHandle.standardError.write(Data("photo-manager: \(error)\n".utf8))
    exit(1)
}
let introspection = Introspection(of: service)

// A signal source needs the signal's own action out of the way on macOS.
let endings = [SIGINT, SIGTERM].map { number in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    source.setEventHandler {
        introspection.end()
        exit(0)
    }
    source.resume()
    return source
}

service.begin()
dispatchMain()
