import TelltaleProtocol
import TelltaleSystem

/// Writes a profile into the file that was asked for, where the client runs.
enum ProfileFile {
    /// Returns the answer, with the file if one was asked for.
    static func written(
        _ answer: ProfileAnswer, for request: Request, of pid: Int32
    ) throws(CommandFailure) -> ProfileAnswer {
        guard let parameters = try? ProfileCommand.Parameters(json: request.parameters),
            parameters.output != nil || parameters.format != nil
        else { return answer }
        let format = parameters.format ?? format(of: parameters.output ?? "")
        var file = parameters.output ?? "profile-\(pid).\(format == "speedscope" ? "json" : format)"
        if file.hasPrefix("~/"), let home = ProcessIdentity.environment("HOME") {
            file = home + file.dropFirst()
        }
        do throws(SystemError) {
            try PrivateFile.replace(file, with: bytes(of: answer, format, pid))
        } catch {
            throw CommandFailure(.hostError, "the profile could not be written: \(error)")
        }
        var answer = answer
        answer.file = file
        return answer
    }

    private static func format(of file: String) -> String {
        let ends = [
            ".pprof": "pprof", ".pb": "pprof", ".folded": "folded", ".txt": "folded",
            ".json": "speedscope",
        ]
        return ends.first { file.hasSuffix($0.key) }?.value ?? "svg"
    }

    private static func bytes(
        of answer: ProfileAnswer, _ format: String, _ pid: Int32
    ) -> [UInt8] {
        switch format {
        case "pprof": PprofWriter.bytes(of: answer)
        case "folded": Array(answer.folded.utf8)
        case "speedscope": Array(answer.speedscope.serialized().utf8)
        default:
            Array(
                FlameGraph.svg(
                    of: answer,
                    title: "process \(pid), \(Quantity.time(seconds: answer.seconds)), "
                        + (answer.time ?? "cpu")
                ).utf8)
        }
    }
}
