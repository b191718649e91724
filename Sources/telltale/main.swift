import CTelltaleReadline
import TelltaleShell

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

let shell = Shell(
    output: StandardOutput(), editorLibrary: ReadlineEditor.library,
    makeEditor: { ReadlineEditor() })
exit(shell.run(Array(CommandLine.arguments.dropFirst())))
