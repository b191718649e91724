import CTelltaleReadline
import Glibc
import TelltaleShell
import TelltaleSystem

// It asks on the machine of a service that has requests to answer.
NativeThread.giveCore()

let shell = Shell(
    output: StandardOutput(), editorLibrary: ReadlineEditor.library,
    makeEditor: { ReadlineEditor() })
var arguments: [String] = []
while let word = ctelltale_argument(Int32(arguments.count + 1)) {
    arguments.append(String(cString: word))
}
exit(shell.run(arguments))
