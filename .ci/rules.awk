# The rules of .ci/rules, on Swift and C. Read twice: first who declares what, then who names it.

BEGIN {
    split("", imports)
    imports["TelltaleProtocol"] = ""
    imports["TelltaleSystem"] = "CTelltaleSystem Glibc Synchronization"
    imports["TelltalePicture"] = "TelltaleProtocol"
    imports["TelltaleDiagnosis"] = "TelltalePicture TelltaleProtocol"
    imports["TelltaleRuntime"] = "CTelltaleSystem Dispatch Glibc Synchronization TelltalePicture" \
        " TelltaleProtocol TelltaleSystem"
    imports["TelltaleValues"] = "CTelltaleSystem Glibc Synchronization TelltaleProtocol TelltaleRuntime" \
        " TelltaleSystem"
    imports["TelltaleAgent"] = "Dispatch Synchronization TelltaleProtocol TelltaleSystem" \
        " TelltalePicture TelltaleDiagnosis TelltaleRuntime TelltaleValues"
    imports["TelltaleFoundation"] = "Dispatch Foundation TelltaleAgent TelltalePicture TelltaleProtocol" \
        " TelltaleRuntime"
    imports["TelltaleClient"] = "TelltaleProtocol TelltaleSystem"
    imports["TelltaleShell"] = imports["TelltaleClient"] " TelltaleClient"
    imports["telltale"] = imports["TelltaleShell"] " TelltaleShell CTelltaleReadline Glibc"

    # Who composes the whole may name all but what the host calls. What a room is handed or hands on is
    # everybody's: what the host hands in or is handed (Facade, but for its entry
    # points), and the masking, through which all text of the host's goes as it comes in.
    uses["Commands"] = "Service Objects Picture"
    uses["Service"] = "Commands Objects Picture"
    uses["Facade"] = "Service Objects"
    uses["Objects"] = "Service/Workers"
    uses["Picture"] = "Service/Workers Objects"
    everybodys = "Objects/Masking"
    # What state hangs on: a room that isn't pure is handed one of these and takes from it what it needs.
    states["Objects"] = "SharedState Agent CommandContext ProcessFacts"
    states["Picture"] = "SharedState Agent CommandContext"

    declaration = "^(@[A-Za-z]+(\\([^)]*\\))? )*((public|package|internal|final|indirect|nonisolated|open) )*" \
        "(struct|class|enum|actor|protocol|typealias) "
    nested = "^ +((private|fileprivate|final|indirect) )*(struct|class|enum|actor|typealias|case) "
    privateWords = "_dispatch_|[^a-z.]_?swift_[a-z]|\\$s[0-9A-Z]|OS_dispatch|__pthread"
    pass = 0
}

# The arguments once more behind themselves: one pass to learn, one to check.
NR == 1 {
    for (n = ARGC; n < 2 * ARGC - 1; n++) ARGV[n] = ARGV[n - ARGC + 1]
    ARGC = 2 * ARGC - 1
    first = FILENAME
}
FNR == 1 {
    if (FILENAME == first) pass++
    path = FILENAME
    sub(/^(Benchmarks\/)?Sources\//, "", path)
    isSwift = path ~ /\.swift$/
    module = path
    sub(/\/.*/, "", module)
    room = roomOf(path)
    inText = 0
    opened = 0
    if (pass == 2 && previous != "") lengthOf(previous, last)
    previous = FILENAME
}
{ last = FNR }
END { lengthOf(previous, last) }

pass == 1 {
    if (room != "" && $0 ~ nested) {
        name = $0
        sub(nested, "", name)
        sub(/[^A-Za-z0-9_].*/, "", name)
        isLocal[FILENAME, name] = 1
    }
    if (room != "" && $0 ~ declaration && $0 !~ /^(file)?private /) {
        name = $0
        sub(declaration, "", name)
        sub(/[^A-Za-z0-9_].*/, "", name)
        isShared = (name in owner) && owner[name] != room
        owner[name] = isShared ? "" : room
    }
    next
}

function report(rule, what) { print FILENAME ":" FNR ": " rule ": " what }

function lengthOf(file, lines) {
    if (lines > 300) print file ":1: size: " lines " lines"
}

function roomOf(path, parts) {
    if (path !~ /^TelltaleAgent\//) return ""
    split(path, parts, "/")
    whole = parts[2] "/" parts[3]
    if (whole == "Service/Workers" || has(everybodys, whole)) return whole
    return parts[2]
}

function has(list, word) { return index(" " list " ", " " word " ") > 0 }

# The line without comments; what stands in a text becomes nothing in `code` and stays in `texts`.
function separate(line, n, c, depth, inside, out, said) {
    out = ""
    said = ""
    inside = 0
    depth = 0
    if (index(line, "\"\"\"")) {
        inText = !inText
        code = line
        texts = ""
        return
    }
    if (inText) {
        code = ""
        texts = line
        return
    }
    if (!index(line, "\"")) {
        sub(/\/\/.*/, "", line)
        code = line
        texts = ""
        return
    }
    for (n = 1; n <= length(line); n++) {
        c = substr(line, n, 1)
        if (inside) {
            said = said c
            if (c == "\\") {
                n++
                if (substr(line, n, 1) == "(" && isSwift) {
                    # What is put into a text is code: until its bracket is closed.
                    inside = 0
                    depth = 1
                }
                said = said substr(line, n, 1)
            } else if (c == "\"") inside = 0
        } else if (depth > 0) {
            out = out c
            if (c == "(") depth++
            if (c == ")" && --depth == 0) {
                said = said c
                inside = 1
            } else if (c == "\"") {
                # A text within: up to its end, which has no such brackets of its own here.
                while (++n <= length(line) && substr(line, n, 1) != "\"")
                    if (substr(line, n, 1) == "\\") n++
            }
        } else if (c == "/" && substr(line, n + 1, 1) == "/") break
        else {
            out = out c
            if (c == "\"") {
                said = said c
                inside = 1
            }
        }
    }
    code = out
    texts = said
}

{ separate($0) }

/DESIGN|LAYOUT|STYLE\.md|FACTS/ && /(DESIGN|LAYOUT|STYLE\.md|FACTS)([ .),:]|$)/ {
    report("cites", "a page that is not in the repository")
}

isSwift && /^(@[a-z]+(\([a-z]+\))? |package |public |internal |private )*import / {
    name = $0
    sub(/.*import /, "", name)
    sub(/[^A-Za-z0-9_].*/, "", name)
    folder = module "/" room
    folder = folder in imports ? folder : module
    if ((folder in imports) && !has(imports[folder], name)) report("import", folder " may not import " name)
}

/^ *#if/ && room != "Facade" && /os\(|canImport\((Darwin|Glibc|ObjectiveC)|__linux__|__APPLE__/ {
    report("platform", "a platform is told in Package.swift alone")
}

room != "" {
    from = room
    sub(/\/.*/, "", from)
    words = code
    gsub(/[.?][A-Za-z_][A-Za-z0-9_]*/, " ", words)
    gsub(/[^A-Za-z0-9_]+/, " ", words)
    count = split(words, word, " ")
    for (n = 1; n <= count; n++) {
        if (!(word[n] in owner) || (FILENAME, word[n]) in isLocal) continue
        to = owner[word[n]]
        if (to == "" || to == room || has(everybodys, to) || has(uses[from], to)) continue
        sub(/\/.*/, "", to)
        if (to == from || has(uses[from], to) || has(states[from], word[n])) continue
        if (to == "Facade" && word[n] != "Telltale") continue
        report("room", from " may not name " word[n] " of " to)
    }
}

isSwift && module != "TelltaleRuntime" && texts ~ privateWords && module !~ /^telltale-bench$/ {
    report("private", "a symbol's name belongs to TelltaleRuntime")
}
room != "" && code ~ /[^A-Za-z0-9_]0x[0-9A-Fa-f_][0-9A-Fa-f_]|fromByteOffset: [0-9]|ctelltale_[a-z_]+\(.*[^A-Za-z0-9_][0-9][0-9]+/ {
    report("private", "a number of another's memory belongs to TelltaleRuntime")
}
!isSwift && path ~ /^CTelltaleSystem\/(process|signals|memory)\// && texts ~ privateWords {
    report("private", "a symbol's name belongs to dispatch/, concurrency/, symbols/ or unwind/")
}

isSwift && path !~ /^TelltaleProtocol\/Text\// {
    if (texts ~ /\\\(\)( (s|B)| ?(ms|µs|us|ns|%|KiB|MiB|GiB|kB|MB|GB|K|M|G))([^A-Za-z0-9_]|$)/)
        report("unit", "Quantity says numbers with their units")
    if ($0 ~ /"0x" *\+ *String|0x\\\(|String\(format/) report("unit", "Quantity says addresses and decimals")
    if ($0 ~ /\\\([A-Za-z.$0-9]+\) \\\([A-Za-z.$0-9]+ == 1 \?|== 1 \? "1 /) report("unit", "Quantity.count says one and many")
}

isSwift && path !~ /^TelltaleProtocol\/Wire\// && $0 ~ /(method|command|message|summary|title) *[!=]= *"/ {
    report("string", "what is done hangs on a type or a description, not on a word")
}

# Functions: from their first line to the bracket that stands under it.
isSwift {
    match($0, /^ */)
    indent = RLENGTH
    start = substr($0, indent + 1)
    if (opened && indent == openedIndent && start ~ /^}/) {
        if (FNR - opened + 1 > 60)
            print FILENAME ":" opened ": size: a function of " FNR - opened + 1 " lines"
        opened = 0
    } else if (!opened && code ~ /(^| )(func |init[(<?]|deinit )/ && start !~ /^\/\// && code !~ /}$/) {
        opened = FNR
        openedIndent = indent
    } else if (opened && FNR > opened && indent <= openedIndent && start != "" && start !~ /^[)\/#{]/ && start !~ /^(->|where|async|throws)/) {
        # A requirement of a protocol has no body.
        opened = 0
        if (code ~ /(^| )(func |init[(<?]|deinit )/ && code !~ /}$/) {
            opened = FNR
            openedIndent = indent
        }
    }
}
!isSwift {
    if ($0 ~ /^[A-Za-z_].*\(/ && $0 !~ /;$/ && !opened) opened = FNR
    else if ($0 ~ /^}/) {
        if (opened && FNR - opened + 1 > 60)
            print FILENAME ":" opened ": size: a function of " FNR - opened + 1 " lines"
        opened = 0
    } else if ($0 ~ /^[A-Za-z].*;$/) opened = 0
}
