package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// bashAlone makes the script for bash work without the package bash-completion, of which it calls two functions: few
// containers and no Mac have it, and each Tab would print an error there.
const bashAlone = `
# Without the package bash-completion, words are what blanks separate.
__moai_init_completion()
{
    COMPREPLY=()
    if declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
        _get_comp_words_by_ref "$@" cur prev words cword
        return
    fi
    local line="${COMP_LINE:0:COMP_POINT}"
    read -ra words <<<"$line"
    case "$line" in
        *[[:blank:]]) words+=("") ;;
    esac
    cword=$((${#words[@]} - 1))
    cur="${words[cword]}"
    prev=""
    if ((cword > 0)); then
        prev="${words[cword - 1]}"
    fi
    if ! declare -F _filedir >/dev/null 2>&1; then
        _filedir()
        {
            local kind=-f name
            if [[ $1 == -d ]]; then
                kind=-d
            fi
            while IFS= read -r name; do
                COMPREPLY+=("$name")
            done < <(compgen "$kind" -- "$cur")
        }
    fi
}
`

// aloneInBash appends bashAlone to what the verb for bash prints.
func aloneInBash(completion *cobra.Command) {
	for _, c := range completion.Commands() {
		script := c.RunE
		if c.Name() != "bash" || script == nil {
			continue
		}
		c.RunE = func(c *cobra.Command, args []string) error {
			if err := script(c, args); err != nil {
				return err
			}
			_, err := fmt.Fprint(c.OutOrStdout(), bashAlone)
			return err
		}
	}
}
