import CTelltaleReadline
import Glibc
import TelltaleShell

let shell = Shell(
    output: StandardOutput(), editorLibrary: ReadlineEditor.library,
    makeEditor: { ReadlineEditor() })
var arguments: [String] = []
while let word = ctelltale_argument(Int32(arguments.count + 1)) {
    arguments.append(String(cString: word))
}
exit(shell.run(arguments))
