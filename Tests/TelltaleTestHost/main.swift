// A host for the end-to-end tests: it does what a line on its standard input asks for and answers with
// one line, so that a test stages a situation and then looks at it from outside.
import Dispatch
import Foundation
import Synchronization
import TelltaleAgent
import TelltaleFoundation

if let name = Shape.asked(in: CommandLine.arguments) { Shape.run(name) }
let stage = Stage()
let options = Set(CommandLine.arguments.dropFirst())
Telltale.useFoundation()
stage.prepare(options)
if options.contains("storm") {
    // The signal comes the moment start() has returned, and must be answered.
    Telltale.start()
    kill(getpid(), SIGUSR1)
} else if options.contains("bound") {
    var configuration = AgentConfiguration()
    configuration.keptChanges = 2
    Telltale.start(configuration)
} else if options.contains("terse") {
    var configuration = AgentConfiguration()
    configuration.maximumReplyBytes = 65_536
    Telltale.start(configuration)
} else if options.contains("crash-at-start") {
    // As a host does that finds its configuration wrong.
    Telltale.start()
    fatalError("asked for")
} else if !options.contains("unstarted") {
    Telltale.start()
}
stage.register()
if options.contains("hazards") { Hazards.register() }
if options.contains("secrets") { SecretModes.register() }
if options.contains("actors") { ActorModes.register() }
if options.contains("properties") { PropertyModes.register() }
if options.contains("host-code") { HostCodeModes.register() }
if options.contains("edits") { EditModes.register() }
if options.contains("methods") { CallModes.register() }
say("READY \(getpid())")
// Lines are read beside the main queue, which belongs to the host under test.
Thread.detachNewThread {
    // The main thread is in its queue by now.
    if options.contains("bound") {
        Bound.register()
    }
    while let line = readLine() { say("OK " + stage.perform(line)) }
    exit(0)
}
sitInACall(options)
// The other threads continue, and /proc shows no memory under the process's own id any more.
if options.contains("main-thread-ends") { pthread_exit(nil) }
if options.contains("returns") {
    EndModes.isReturning.wait()
} else if options.contains("run-loop") {
    // As a host does that is not content with Dispatch.
    RunLoop.main.add(Timer(timeInterval: 3600, repeats: true) { _ in }, forMode: .common)
    RunLoop.main.run()
} else {
    dispatchMain()
}
