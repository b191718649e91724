import Dispatch
import Foundation

/// The options of the command line.
struct Options: Equatable {
    /// The problem with a command line.
    struct Failure: Error, Equatable, CustomStringConvertible {
        var description: String
    }

    static let help = """
        usage: photo-manager [--photos URL|FOLDER]... [--port N] [--downloads WAY]
                             [--timeout SECONDS] [--retries N] [--save FILE]
                             [--prompt-after SECONDS] [--refresh-every SECONDS]
                             [--load [N] | --recipe NAME | --fault NAME]
               photo-manager --downloads list | --recipe list | --fault list

        Keeps a wall of photos: downloads JPEG and PNG files, decodes them, makes thumbnails, and
        runs until SIGINT or SIGTERM ends it (a fault that blocks its main thread needs SIGKILL).

          --photos URL|FOLDER     a photo, with a slash at its end a web server's listing of photos,
                                  or a folder of this machine; may be given more than once
          --port N                serves the album on this port of 127.0.0.1: a page, album.json,
                                  photos and thumbnails; 0 for any port that is free
          --downloads WAY         how a batch of photos is downloaded (default notify); 'list' names the
                                  ways, and the action downloads.again("WAY") takes another
          --timeout SECONDS       how long a try to download may take (default 30)
          --retries N             how often what failed is tried again (default 2)
          --save FILE             where what is known of the photos is saved: on SIGHUP, and after a
                                  debugger or a signal has stopped the service
          --prompt-after SECONDS  how long an empty wall waits before it asks for photos (default 1)
          --refresh-every SECONDS how often the listings are looked at again (default 60)
          --load [N]              keeps every part at work, when the first photos are there, N times
                                  over (default 1)
          --recipe NAME           what the tutorials show and the album has no need of, when the first
                                  photos are there; 'list' names them, and the action
                                  recipe.run("NAME") begins one
          --fault NAME            stages a deadlock or another mistake, when the first photos are there,
                                  to be found with 'telltale photo-manager stuck'; 'list' names them,
                                  and 'later' leaves it to the action fault.stage("NAME")
          --help                  this text

        PHOTO_API_TOKEN in the environment is sent with every download as the bearer's token.
        """

    var sources: [URL] = []
    var promptDelay = 1.0
    var refreshDelay = 60.0
    var port: Int?
    var way = DownloadWay.notify
    var patience = PhotoFetcher.Patience()
    var saved: String?
    var recipe: String?
    var fault: String?
    var offersFaults = false
    /// The number of repetitions; 0 for none.
    var load = 0
    var wantsFaults = false
    var wantsWays = false
    var wantsRecipes = false
    var wantsHelp = false

    /// Reads a command line.
    ///
    /// - Parameter arguments: Without the program's name.
    /// - Throws: ``Failure`` with a sentence for the user.
    init(_ arguments: [String]) throws(Failure) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--help", "-h":
                wantsHelp = true
            case "--photos":
                sources.append(try Self.source(rest.popFirst(), of: option))
            case "--port":
                port = try Self.number(rest.popFirst(), of: option, in: 0...65_535)
            case "--downloads":
                let name = try Self.argument(rest.popFirst(), of: option)
                if name == "list" { wantsWays = true } else { way = try Self.way(name) }
            case "--timeout":
                patience.timeout = try Self.seconds(rest.popFirst(), of: option, from: 1)
            case "--retries":
                patience.retries = try Self.number(rest.popFirst(), of: option, in: 0...100)
            case "--save":
                saved = try Self.argument(rest.popFirst(), of: option)
            case "--prompt-after":
                promptDelay = try Self.seconds(rest.popFirst(), of: option, from: 0)
            case "--refresh-every":
                refreshDelay = try Self.seconds(rest.popFirst(), of: option, from: 1)
            case "--load":
                load = 1
                // The number may be left out.
                if let next = rest.first, !next.hasPrefix("--") {
                    load = try Self.number(rest.popFirst(), of: option, in: 1...64)
                }
            case "--recipe":
                let name = try Self.argument(rest.popFirst(), of: option)
                guard name != "list" else {
                    wantsRecipes = true
                    continue
                }
                guard Recipe.named(name) != nil else {
                    throw Failure(
                        description: "no recipe '\(name)'; '--recipe list' names all of them")
                }
                recipe = name
            case "--fault":
                let name = try Self.argument(rest.popFirst(), of: option)
                switch name {
                case "list": wantsFaults = true
                case "later": offersFaults = true
                default: (fault, offersFaults) = (try Self.fault(name), true)
                }
            default:
                throw Failure(description: "unknown option '\(option)'; --help lists them")
            }
        }
    }

    /// The delay of an empty wall's prompt.
    var promptInterval: DispatchTimeInterval { .milliseconds(Int(promptDelay * 1000)) }

    private static func argument(_ text: String?, of option: String) throws(Failure) -> String {
        guard let text else { throw Failure(description: "\(option) needs an argument") }
        return text
    }

    private static func number(
        _ text: String?, of option: String, in range: ClosedRange<Int>
    ) throws(Failure) -> Int {
        let text = try argument(text, of: option)
        guard let number = Int(text), range.contains(number) else {
            throw Failure(
                description: "\(option) takes a number from \(range.lowerBound) to "
                    + "\(range.upperBound), not '\(text)'")
        }
        return number
    }

    private static func seconds(
        _ text: String?, of option: String, from least: Double
    ) throws(Failure) -> Double {
        let text = try argument(text, of: option)
        guard let seconds = Double(text), (least...86_400).contains(seconds) else {
            throw Failure(
                description: "\(option) takes seconds from \(Int(least)) to 86400, not '\(text)'")
        }
        return seconds
    }

    /// The way of a name.
    ///
    /// - Parameter name: What was typed.
    /// - Returns: The way.
    /// - Throws: ``Failure`` that names all of them.
    static func way(_ name: String) throws(Failure) -> DownloadWay {
        guard let way = DownloadWay(rawValue: name) else {
            let names = DownloadWay.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(description: "no way '\(name)' to download; there are \(names)")
        }
        return way
    }

    private static func fault(_ name: String) throws(Failure) -> String {
        guard Fault.named(name) != nil else {
            throw Failure(description: "no fault '\(name)'; '--fault list' names all of them")
        }
        return name
    }

    private static func source(_ text: String?, of option: String) throws(Failure) -> URL {
        let text = try argument(text, of: option)
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: text, isDirectory: &isFolder), isFolder.boolValue
        {
            return URL(fileURLWithPath: text, isDirectory: true)
        }
        guard let url = URL(string: text), url.scheme == "http" || url.scheme == "https",
            url.host != nil
        else {
            throw Failure(
                description: "\(option) takes a URL such as http://127.0.0.1:8000/ or a folder "
                    + "that is there, not '\(text)'")
        }
        return url
    }
}
