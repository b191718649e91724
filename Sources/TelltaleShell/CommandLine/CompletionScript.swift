/// `--completion`: the script that a shell reads once. It asks the program itself for the words, so
/// that they are always those of this version, and of the running services.
package enum CompletionScript: String, Sendable {
    case bash, zsh, fish

    var text: String {
        switch self {
        case .bash:
            """
            # telltale for bash: put it where bash-completion looks, or `source` it.
            _telltale() {
                local word
                COMPREPLY=()
                while IFS= read -r word; do
                    COMPREPLY+=("$word")
                done < <(telltale --candidates -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
                compopt -o nospace 2>/dev/null
                # bash has made words of what stands beside a colon or an equals sign.
                if declare -F __ltrim_colon_completions >/dev/null; then
                    __ltrim_colon_completions "${COMP_WORDS[COMP_CWORD]}"
                fi
            }
            complete -F _telltale telltale
            """
        case .zsh:
            """
            #compdef telltale
            # telltale for zsh: put it as _telltale into a folder of $fpath, or `source` it.
            _telltale() {
                local -a found
                found=("${(@f)$(telltale --candidates -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
                compadd -S '' -- $found
            }
            if [ "$funcstack[1]" = "_telltale" ]; then _telltale "$@"; else compdef _telltale telltale; fi
            """
        case .fish:
            """
            # telltale for fish: put it as telltale.fish into ~/.config/fish/completions.
            complete -c telltale -f -a '(telltale --candidates -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
            """
        }
    }
}
